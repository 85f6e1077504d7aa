<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
<name>musicrel</name>
<message>
<source>module 'musicrel' has no attribute {name!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>All voices of the step before</source>
<translation type="unfinished" />
</message>
<message>
<source>With relative attention, more weight is on the voices of the step before.</source>
<translation type="unfinished" />
</message>
<message>
<source>Shared by these four voices alike</source>
<translation type="unfinished" />
</message>
<message>
<source>With relative attention, all four voices of the step before get weight.</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrase beginning, at cadences</source>
<translation type="unfinished" />
</message>
<message>
<source>At cadences, relative attention puts more weight on the phrase beginning.</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrase beginning above its second quarter</source>
<translation type="unfinished" />
</message>
<message>
<source>At cadences, relative attention prefers the phrase beginning to the quarter after it.</source>
<translation type="unfinished" />
</message>
<message>
<source>The last three events</source>
<translation type="unfinished" />
</message>
<message>
<source>Without relative attention, weight shrinks to the last three events.</source>
<translation type="unfinished" />
</message>
<message>
<source>Growth of the last three events' share</source>
<translation type="unfinished" />
</message>
<message>
<source>Without relative attention, weight shrinks to the last three events in the course of a piece.</source>
<translation type="unfinished" />
</message>
<message>
<source>Repeated notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Without relative attention, more notes repeat the pitch before.</source>
<translation type="unfinished" />
</message>
<message>
<source>Longest stay on one pitch</source>
<translation type="unfinished" />
</message>
<message>
<source>Without relative attention, a voice stays longer on one pitch.</source>
<translation type="unfinished" />
</message>
<message>
<source>the values to rank have shapes {shape} and {shape_2}: expected the same, with at least one value</source>
<translation type="unfinished" />
</message>
<message>
<source>a value to rank is not finite: expected finite weights and effects</source>
<translation type="unfinished" />
</message>
<message>
<source>there is nothing to draw from: expected at least one piece</source>
<translation type="unfinished" />
</message>
<message>
<source>the corpus file is damaged ({reason}): install musicrel again</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no split {split!r}: expected train, valid or test</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is no {file_name}</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is not JSON: expected the file {file_name}</source>
<translation type="unfinished" />
</message>
<message>
<source>{where}: it has no {join}: expected lists named {join_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no tune {name!r}: expected one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>{title}, with {pieces} pieces, has no {feature} in {replace} to compare with: expected a training split of some hundred chorales</source>
<translation type="unfinished" />
</message>
<message>
<source>{value} has no note: there is nothing to compare</source>
<translation type="unfinished" />
</message>
<message>
<source>the bundled chorales</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown reference {source!r}: expected '{shipped}', '{bundled}' or '{file_prefix}FILE'</source>
<translation type="unfinished" />
</message>
<message>
<source>the test split of {name} is empty: at least one piece is needed</source>
<translation type="unfinished" />
</message>
<message>
<source>the training split of {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>the test split of {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} holds no reference for the grade ({reason}): install musicrel again</source>
<translation type="unfinished" />
</message>
<message>
<source>Fux, Gradus ad Parnassum (1725)</source>
<translation type="unfinished" />
</message>
<message>
<source>Aldwell and Schachter, Harmony and Voice Leading</source>
<translation type="unfinished" />
</message>
<message>
<source>Kostka and Payne, Tonal Harmony</source>
<translation type="unfinished" />
</message>
<message>
<source>% of steps</source>
<translation type="unfinished" />
</message>
<message>
<source>Parallel fifths</source>
<translation type="unfinished" />
</message>
<message>
<source>Two voices a fifth or twelfth apart move in the same direction to another fifth or twelfth.</source>
<translation type="unfinished" />
</message>
<message>
<source>Parallel octaves</source>
<translation type="unfinished" />
</message>
<message>
<source>Two voices one or more octaves apart move in the same direction to another octave or to a unison.</source>
<translation type="unfinished" />
</message>
<message>
<source>Parallel unisons</source>
<translation type="unfinished" />
</message>
<message>
<source>Two voices share one pitch and move together to another.</source>
<translation type="unfinished" />
</message>
<message>
<source>Fifths or octaves by contrary motion</source>
<translation type="unfinished" />
</message>
<message>
<source>Two voices a fifth or octave apart move in opposite directions to the same interval, an octave wider or narrower.</source>
<translation type="unfinished" />
</message>
<message>
<source>Hidden fifths</source>
<translation type="unfinished" />
</message>
<message>
<source>Soprano and bass move in the same direction to a fifth, the soprano by a leap.</source>
<translation type="unfinished" />
</message>
<message>
<source>Hidden octaves</source>
<translation type="unfinished" />
</message>
<message>
<source>Soprano and bass move in the same direction to an octave, the soprano by a leap.</source>
<translation type="unfinished" />
</message>
<message>
<source>Voice crossing</source>
<translation type="unfinished" />
</message>
<message>
<source>A voice sounds below the next lower voice.</source>
<translation type="unfinished" />
</message>
<message>
<source>A voice is above the pitch the next higher voice just had, or below the one the next lower voice just had.</source>
<translation type="unfinished" />
</message>
<message>
<source>Wide spacing</source>
<translation type="unfinished" />
</message>
<message>
<source>Soprano and alto, or alto and tenor, are more than an octave apart.</source>
<translation type="unfinished" />
</message>
<message>
<source>Out of range</source>
<translation type="unfinished" />
</message>
<message>
<source>A voice is above or below its usual range.</source>
<translation type="unfinished" />
</message>
<message>
<source>Leap beyond an octave</source>
<translation type="unfinished" />
</message>
<message>
<source>A voice leaps by more than an octave.</source>
<translation type="unfinished" />
</message>
<message>
<source>Awkward leap</source>
<translation type="unfinished" />
</message>
<message>
<source>A voice leaps by a tritone or a seventh; Bach's basses often do.</source>
<translation type="unfinished" />
</message>
<message>
<source>Unresolved leading tone</source>
<translation type="unfinished" />
</message>
<message>
<source>At an authentic cadence in the key of the piece, soprano or bass leaves the leading tone and does not rise to the tonic.</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no rule {value!r}: expected one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>{} holds no rates of the rules ({}): install musicrel again</source>
<translation type="unfinished" />
</message>
<message>
<source>it lacks {min!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>a whole number </source>
<translation type="unfinished" />
</message>
<message>
<source>more than {low}, {value} {high}{unit}</source>
<translation type="unfinished" />
</message>
<message>
<source> sixteenths, or auto</source>
<translation type="unfinished" />
</message>
<message>
<source> quarter notes a minute</source>
<translation type="unfinished" />
</message>
<message>
<source> percent of the tempo</source>
<translation type="unfinished" />
</message>
<message>
<source>: 0 is similar, 1 is different</source>
<translation type="unfinished" />
</message>
<message>
<source>, or auto</source>
<translation type="unfinished" />
</message>
<message>
<source>, 1 for batches in random order</source>
<translation type="unfinished" />
</message>
<message>
<source>{value} is {shown}: expected {value_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>{value} is {shown_text}: expected {value_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>a number of thousands of digits</source>
<translation type="unfinished" />
</message>
<message>
<source>a tonic A to G with # or b and major or minor, as in 'F# minor'</source>
<translation type="unfinished" />
</message>
<message>
<source>expected 1 to 32 over 1, 2, 4, 8 or 16, as in 3/4</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown key {tonic!r} {mode!r}: expected {key_form}</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown key {text!r}: expected {key_form}</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown meter {join}: {meters}</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown meter {text!r}: expected one as in 4/4 or 3/4</source>
<translation type="unfinished" />
</message>
<message>
<source>{title}, verse {verse}, step {step}: the syllable is {value!r}: expected one line without spaces around it</source>
<translation type="unfinished" />
</message>
<message>
<source>a mark at step {start} is {kind!r} with {shown}: expected {join} or {value}, and a value of that kind</source>
<translation type="unfinished" />
</message>
<message>
<source>the {kind} at step {start} ends at step {stop}: expected a later step of a slowing or a slur, otherwise the same</source>
<translation type="unfinished" />
</message>
<message>
<source>pickup is {shown} steps: expected 0 to {value}, less than a bar of {meter}</source>
<translation type="unfinished" />
</message>
<message>
<source>pitches have shape {shape}: expected (steps, 4)</source>
<translation type="unfinished" />
</message>
<message>
<source>steps {start}:{stop} are not in the piece: expected 0:{steps}</source>
<translation type="unfinished" />
</message>
<message>
<source>{title}, verse {verse}, step {step}: two syllables, {text!r} and {text_2!r}: expected one</source>
<translation type="unfinished" />
</message>
<message>
<source>pitches have shape {shape}: expected (steps, 4) with 1 to {max_steps} steps</source>
<translation type="unfinished" />
</message>
<message>
<source>onsets have shape {shape} and fermatas {shape_2}: expected {shape_3} and ({steps},)</source>
<translation type="unfinished" />
</message>
<message>
<source>pitches run from {min} to {max}: expected MIDI numbers 0 to 127, or -1 for a rest</source>
<translation type="unfinished" />
</message>
<message>
<source>step {step}, {title}: a rest cannot be the onset of a note</source>
<translation type="unfinished" />
</message>
<message>
<source>step {step}, {title}: the pitch changes without an onset</source>
<translation type="unfinished" />
</message>
<message>
<source>step</source>
<translation type="unfinished" />
</message>
<message>
<source>steps</source>
<translation type="unfinished" />
</message>
<message>
<source>token</source>
<translation type="unfinished" />
</message>
<message>
<source>tokens</source>
<translation type="unfinished" />
</message>
<message>
<source>run</source>
<translation type="unfinished" />
</message>
<message>
<source>runs</source>
<translation type="unfinished" />
</message>
<message>
<source>side by side</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown byte data {kind!r}: expected {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>split is {split!r}: expected one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>the {split} split of {name!r} is empty ({read}): {advice}</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown data {source!r}: expected 'chorales', 'jsb:FILE', 'folder:PATH', 'hymns:FILE' or 'chorales+hymns:FILE', for a classifier 'bytes:KIND'</source>
<translation type="unfinished" />
</message>
<message>
<source>folder: names no folder: expected folder:PATH, the folder of your pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>there are {value} pieces for training, {value_2} for validation and {value_3} for the test: to teach a model, at least {join} are needed; add about {ceil} more pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>at least one piece is needed</source>
<translation type="unfinished" />
</message>
<message>
<source>; its notes decide where a piece goes, one in ten to valid and one to test</source>
<translation type="unfinished" />
</message>
<message>
<source>the training split is empty: at least one piece is needed</source>
<translation type="unfinished" />
</message>
<message>
<source>windows have</source>
<translation type="unfinished" />
</message>
<message>
<source>or a window that is no longer</source>
<translation type="unfinished" />
</message>
<message>
<source>or measured = "window" in [data]</source>
<translation type="unfinished" />
</message>
<message>
<source>the longest piece that is measured has</source>
<translation type="unfinished" />
</message>
<message>
<source>scheme {scheme!r} has positions for {reached:,} tokens, but {what} {length:,}: expected its option {table_length} to be {rows} or more{value}{remedy}</source>
<translation type="unfinished" />
</message>
<message>
<source>another file holds the same piece</source>
<translation type="unfinished" />
</message>
<message>
<source>for training</source>
<translation type="unfinished" />
</message>
<message>
<source>for validation</source>
<translation type="unfinished" />
</message>
<message>
<source>for the test</source>
<translation type="unfinished" />
</message>
<message>
<source>A study needs some in each part: add more pieces.</source>
<translation type="unfinished" />
</message>
<message>
<source>Not used: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>moved {semitones:+d} semitones</source>
<translation type="unfinished" />
</message>
<message>
<source>{taken} of {len} files can be used: {join}.</source>
<translation type="unfinished" />
</message>
<message>
<source>Not used: {left_out}{more}.</source>
<translation type="unfinished" />
</message>
<message>
<source>moved {semitones:+d} semitones: {file}</source>
<translation type="unfinished" />
</message>
<message>
<source>{taken} of {len} files used: {sizes}</source>
<translation type="unfinished" />
</message>
<message>
<source>; {equal} with the same piece as another file</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder} holds no piece that can be used: {explain}</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no folder {folder}: expected one with pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder} holds {len:,} files: expected at most {max_files:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has no notes</source>
<translation type="unfinished" />
</message>
<message>
<source>it spans MIDI {low} to {high}, but the range of the models is {value} semitones</source>
<translation type="unfinished" />
</message>
<message>
<source>no key</source>
<translation type="unfinished" />
</message>
<message>
<source>voice</source>
<translation type="unfinished" />
</message>
<message>
<source>voices</source>
<translation type="unfinished" />
</message>
<message>
<source>bar</source>
<translation type="unfinished" />
</message>
<message>
<source>bars</source>
<translation type="unfinished" />
</message>
<message>
<source>, and {number:,} more</source>
<translation type="unfinished" />
</message>
<message>
<source>expected files that end in {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>{len} refused, the first ({file}) since {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>gpus is {shown}: expected a share as in 0.25, or 1 to 16</source>
<translation type="unfinished" />
</message>
<message>
<source>run seed</source>
<translation type="unfinished" />
</message>
<message>
<source>{entry} is {value!r}: expected one of {words}</source>
<translation type="unfinished" />
</message>
<message>
<source>conditions names {name!r} twice: expected each once</source>
<translation type="unfinished" />
</message>
<message>
<source>farthest_shift is {farthest_shift} and transpose is false: expected transpose = true, or farthest_shift = 0</source>
<translation type="unfinished" />
</message>
<message>
<source>first_window is {first}: expected {min_window} to less than the window of {window}, or 0 and no curriculum_steps</source>
<translation type="unfinished" />
</message>
<message>
<source>curriculum_steps is {steps}: expected over how many steps windows grow from {first} to {window} tokens</source>
<translation type="unfinished" />
</message>
<message>
<source>the budget is {tokens} tokens, {steps} steps and {minutes:g} minutes: expected one of them above 0</source>
<translation type="unfinished" />
</message>
<message>
<source>schedule_steps is {schedule:,}: expected at least the budget of {steps:,} steps and more than the {warmup_steps:,} of the warm-up, or 0</source>
<translation type="unfinished" />
</message>
<message>
<source>decay is 'warmup_linear': expected schedule_steps, where it ends at 0</source>
<translation type="unfinished" />
</message>
<message>
<source>distil is {distil} and the number of teachers {len}: expected both above 0, or neither</source>
<translation type="unfinished" />
</message>
<message>
<source>stop_gain is {stop_gain:g} and has no effect without stop_after: set the number of evaluations after which a run stops, or stop_gain = 0</source>
<translation type="unfinished" />
</message>
<message>
<source>batch x accumulate x buckets is {sequences:,}: expected at most {max_sequences:,} sequences at once</source>
<translation type="unfinished" />
</message>
<message>
<source>no recipe {name_or_file!r}: expected a TOML file or one of {names}</source>
<translation type="unfinished" />
</message>
<message>
<source>the recipe of the model, [masking]</source>
<translation type="unfinished" />
</message>
<message>
<source>family is {family!r} and the data are {source!r}: expected family 'classifier' for '{bytes}source', '{bytes}honest' or '{bytes}single' and for no other</source>
<translation type="unfinished" />
</message>
<message>
<source>samples are generated</source>
<translation type="unfinished" />
</message>
<message>
<source>input tokens are masked</source>
<translation type="unfinished" />
</message>
<message>
<source>teachers are used</source>
<translation type="unfinished" />
</message>
<message>
<source>pieces are concatenated</source>
<translation type="unfinished" />
</message>
<message>
<source>sliding windows are evaluated</source>
<translation type="unfinished" />
</message>
<message>
<source>openings are evaluated</source>
<translation type="unfinished" />
</message>
<message>
<source>{entry} for family {join} only, the family is {family!r}: set {remedy}</source>
<translation type="unfinished" />
</message>
<message>
<source>counterpoint is true and the family {family!r}: expected family 'causal' or 'infill', or counterpoint = false</source>
<translation type="unfinished" />
</message>
<message>
<source>lines is true: expected counterpoint = true, to whose tables it adds one (it is {lower}), and vocabulary 'articulated' (it is {vocabulary!r})</source>
<translation type="unfinished" />
</message>
<message>
<source>calibration_rounds is {calibration_rounds} and the model has no counterpoint tables to calibrate: expected counterpoint = true, or 0</source>
<translation type="unfinished" />
</message>
<message>
<source>expected vocabulary 'articulated' (it is {vocabulary!r}), a window that is a multiple of {min_window} tokens ({window})</source>
<translation type="unfinished" />
</message>
<message>
<source>family 'encoder_decoder' encodes given whole steps: {expected}, a condition 'given', and a mode such as 'ahead' ({mode!r})</source>
<translation type="unfinished" />
</message>
<message>
<source>family 'infill' reads whole steps: {expected}, no condition 'voice', and a mode other than 'published' and 'time' ({mode!r})</source>
<translation type="unfinished" />
</message>
<message>
<source>mode is {mode!r} and the family {family!r}: that mode hides cells of a grid, which only families 'infill' and 'encoder_decoder' do</source>
<translation type="unfinished" />
</message>
<message>
<source>no node of the cluster is large enough for a run of {cpus} CPUs, {gpus:g} GPUs and {value:.1f} GB of memory: lower --threads, --gpus or the sizes of the study, or add a larger node</source>
<translation type="unfinished" />
</message>
<message>
<source>the node failed: {cause!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>a node cannot start musicrel ({last}): install the same version there as here, in the Python that runs Ray</source>
<translation type="unfinished" />
</message>
<message>
<source>Ray is not installed: install musicrel with its extra, as in pip install '.[cluster]', or use --runner local</source>
<translation type="unfinished" />
</message>
<message>
<source>no Ray cluster answers at {address!r}: start one with ray start --head, or give --address HOST:PORT of a running one</source>
<translation type="unfinished" />
</message>
<message>
<source>the folder of the run, {folder}, was deleted: the run cannot continue</source>
<translation type="unfinished" />
</message>
<message>
<source>the node sent a file {name!r}: expected one inside the run's folder</source>
<translation type="unfinished" />
</message>
<message>
<source>the node {node} has no folder {folder}: put the study on storage that all nodes share, or give --fetch</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot start the run: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: {describe_os_error}</source>
<translation type="unfinished" />
</message>
<message>
<source>its process ended with {code}</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel train: </source>
<translation type="unfinished" />
</message>
<message>
<source>the last time {node}</source>
<translation type="unfinished" />
</message>
<message>
<source>each time before it began</source>
<translation type="unfinished" />
</message>
<message>
<source>its node was lost {value} times, {where}: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>{run}: {reason}; the study can be resumed</source>
<translation type="unfinished" />
</message>
<message>
<source>train, read by the teachers</source>
<translation type="unfinished" />
</message>
<message>
<source>, learning rate {rate:g}</source>
<translation type="unfinished" />
</message>
<message>
<source>seconds is {seconds}: expected a number</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder} is being written by {name}: wait for its end, or stop it there</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write into {folder} ({name}): {value}; choose a folder you may write to</source>
<translation type="unfinished" />
</message>
<message>
<source>another process</source>
<translation type="unfinished" />
</message>
<message>
<source>this very process</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown request {request!r} to a run: expected {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>checkpoint {stem} is damaged: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>delete old checkpoints in {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>its counters are not a JSON object</source>
<translation type="unfinished" />
</message>
<message>
<source>its checksum does not match</source>
<translation type="unfinished" />
</message>
<message>
<source>a tensor has non-finite values</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} holds a study: choose another --out for the run</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} already holds a run: resume it with --resume, or choose another --out</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} holds no run to resume: start it without --resume</source>
<translation type="unfinished" />
</message>
<message>
<source>{lines:,} lines of {name} are no events</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is damaged</source>
<translation type="unfinished" />
</message>
<message>
<source>the folder of the run, {path}, was deleted: the run cannot continue</source>
<translation type="unfinished" />
</message>
<message>
<source>{parent} is of format {get!r}, expected {expected}: choose another folder</source>
<translation type="unfinished" />
</message>
<message>
<source>update musicrel to use it</source>
<translation type="unfinished" />
</message>
<message>
<source>start it again in another folder</source>
<translation type="unfinished" />
</message>
<message>
<source>{parent} is of format version {found!r}, this program reads {version}: {remedy}</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is damaged: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is damaged: expected a JSON object</source>
<translation type="unfinished" />
</message>
<message>
<source>the disk of {folder} is full: earlier checkpoints are intact, free some space and resume</source>
<translation type="unfinished" />
</message>
<message>
<source>the loss of arm {name!r} diverged with every learning rate of [search], {tried}: start another study with lower ones</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder} already holds a {kind}: resume it with --resume, or choose another --out</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder} holds the study {name!r} with other values than {name_2!r} has now: leave --study out to use its own, or choose another --out</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder} holds no study: start one there without --resume</source>
<translation type="unfinished" />
</message>
<message>
<source>{len} rows: {named}.
Time and memory are measured without training.</source>
<translation type="unfinished" />
</message>
<message>
<source>No time estimate: this computer has no run of this size yet. The remaining time is shown while it runs.</source>
<translation type="unfinished" />
</message>
<message>
<source>About {duration} of training, estimated from earlier runs of this size or the budget, plus evaluations.</source>
<translation type="unfinished" />
</message>
<message>
<source>short run</source>
<translation type="unfinished" />
</message>
<message>
<source>short runs</source>
<translation type="unfinished" />
</message>
<message>
<source>{trials} to choose learning rates, then </source>
<translation type="unfinished" />
</message>
<message>
<source>{len} arms of {min:,} to {max:,} parameters</source>
<translation type="unfinished" />
</message>
<message>
<source>About {duration} of training</source>
<translation type="unfinished" />
</message>
<message>
<source>Peak memory</source>
<translation type="unfinished" />
</message>
<message>
<source>Peak memory of one layer</source>
<translation type="unfinished" />
</message>
<message>
<source>Time of one layer, forwards and backwards</source>
<translation type="unfinished" />
</message>
<message>
<source>One causal layer of {heads} heads and width {width}, batch {batch}, distances up to {max_distance};
forward and backward passes, without training.

Time is the fastest of {repeats} passes after a warm-up. Memory is the peak of tensors allocated in
a pass.

Rows above {limit_gigabytes:g} GB, or above free memory, are extrapolated from the two before them.
Exponents are fitted to measured rows only.

Machine: {machine}.
</source>
<translation type="unfinished" />
</message>
<message>
<source>Nats/note on whole pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>whole pieces, conditioned on voice and beat; weighted by notes</source>
<translation type="unfinished" />
</message>
<message>
<source>the masked notes of whole pieces, with the same masks in all runs and evaluations, conditioned on voice and beat; weighted by notes</source>
<translation type="unfinished" />
</message>
<message>
<source>the masked notes of whole pieces, with the same masks in all runs and evaluations, conditioned on the beat; weighted by notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Nats/note by task, test</source>
<translation type="unfinished" />
</message>
<message>
<source>the notes to be generated of whole pieces, with the same given notes in all runs and evaluations, conditioned on the beat; weighted by notes</source>
<translation type="unfinished" />
</message>
<message>
<source>byte sequences of 8 to 400 bytes; accuracies at other lengths on 64 sequences each</source>
<translation type="unfinished" />
</message>
<message>
<source>the masked tokens of windows, with the same masks in all runs and evaluations; weighted by tokens</source>
<translation type="unfinished" />
</message>
<message>
<source>Nats/token as published: new masks at every evaluation, mean of batch means</source>
<translation type="unfinished" />
</message>
<message>
<source>pieces read in windows of the training length that overlap by half</source>
<translation type="unfinished" />
</message>
<message>
<source>the openings of pieces, as many notes as the window, without the first</source>
<translation type="unfinished" />
</message>
<message>
<source>, conditioned on voice and beat</source>
<translation type="unfinished" />
</message>
<message>
<source>whole pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>no positions in the scores, fused</source>
<translation type="unfinished" />
</message>
<message>
<source>relative, skewed tile by tile</source>
<translation type="unfinished" />
</message>
<message>
<source>relative, all scores materialised and skewed</source>
<translation type="unfinished" />
</message>
<message>
<source>relative after Shaw, one vector per pair</source>
<translation type="unfinished" />
</message>
<message>
<source>width is {width}: expected a multiple of heads, {heads}</source>
<translation type="unfinished" />
</message>
<message>
<source>arms is {list!r}: expected some of {join}, each once</source>
<translation type="unfinished" />
</message>
<message>
<source>lengths is {list!r}: expected at least two rising whole numbers from {length}</source>
<translation type="unfinished" />
</message>
<message>
<source>the loss of {runs} still falls at the end</source>
<translation type="unfinished" />
</message>
<message>
<source>{runs} were evaluated fewer than three times, too few to see whether the loss is still falling</source>
<translation type="unfinished" />
</message>
<message>
<source>the loss of {runs} rises at the end</source>
<translation type="unfinished" />
</message>
<message>
<source>whether the loss of {runs} still falls at the end is not recorded</source>
<translation type="unfinished" />
</message>
<message>
<source>no seed is finished in both arms yet</source>
<translation type="unfinished" />
</message>
<message>
<source>read whole</source>
<translation type="unfinished" />
</message>
<message>
<source>read in each arm's own window</source>
<translation type="unfinished" />
</message>
<message>
<source>read from the second note to the end of the window</source>
<translation type="unfinished" />
</message>
<message>
<source>the remaining runs of this study</source>
<translation type="unfinished" />
</message>
<message>
<source>the study quick, then the study full</source>
<translation type="unfinished" />
</message>
<message>
<source>the study full</source>
<translation type="unfinished" />
</message>
<message>
<source>3 seeds or more</source>
<translation type="unfinished" />
</message>
<message>
<source>a larger budget</source>
<translation type="unfinished" />
</message>
<message>
<source>a study like this one with {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>the runs of {value} and {value_2} were evaluated on different pieces: expected the same data in both arms</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} of {len} runs</source>
<translation type="unfinished" />
</message>
<message>
<source>, still falls</source>
<translation type="unfinished" />
</message>
<message>
<source>Runs, losses in {unit}</source>
<translation type="unfinished" />
</message>
<message>
<source>Compared variant</source>
<translation type="unfinished" />
</message>
<message>
<source>Seed of initialisation, data order and dropout</source>
<translation type="unfinished" />
</message>
<message>
<source>State of the run, and whether its validation loss was level at the end</source>
<translation type="unfinished" />
</message>
<message>
<source>Best validation loss so far; lower is better</source>
<translation type="unfinished" />
</message>
<message>
<source>Test loss, measured once at the end; lower is better</source>
<translation type="unfinished" />
</message>
<message>
<source>Training tokens per second</source>
<translation type="unfinished" />
</message>
<message>
<source>Training time, without evaluations</source>
<translation type="unfinished" />
</message>
<message>
<source>Peak memory of its process</source>
<translation type="unfinished" />
</message>
<message>
<source>Trainable parameters of the model</source>
<translation type="unfinished" />
</message>
<message>
<source>Loss at the end: the median slope of validation in the last quarter of the steps; level below a change of 0.01 over that quarter.</source>
<translation type="unfinished" />
</message>
<message>
<source>its own samples, calibration round {round} of {rounds}</source>
<translation type="unfinished" />
</message>
<message>
<source>{reason}: resuming from step {step} with {rate_factor:g} of the learning rate</source>
<translation type="unfinished" />
</message>
<message>
<source>out of memory: each batch is split into {parts} parts</source>
<translation type="unfinished" />
</message>
<message>
<source>stopped early: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>learning_rates is {value}: expected at least two different numbers, {allowed}, as in [1e-3, 2e-3, 4e-3]</source>
<translation type="unfinished" />
</message>
<message>
<source>share of [search]</source>
<translation type="unfinished" />
</message>
<message>
<source>name is {name!r}: expected up to 40 letters, digits, dots and dashes</source>
<translation type="unfinished" />
</message>
<message>
<source>there are fewer than two [[arms]]: expected at least two</source>
<translation type="unfinished" />
</message>
<message>
<source>there are two arms {twice!r}: expected distinct names</source>
<translation type="unfinished" />
</message>
<message>
<source>arm {name!r} sets learning_rate, which [search] chooses: remove one of them</source>
<translation type="unfinished" />
</message>
<message>
<source>it has {runs:,} runs: expected at most {max_runs:,}, use fewer arms or seeds</source>
<translation type="unfinished" />
</message>
<message>
<source>budget is {dict!r}: expected one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>, a whole number</source>
<translation type="unfinished" />
</message>
<message>
<source>the budget is {amount!r} {unit}: expected {allowed}{kind}</source>
<translation type="unfinished" />
</message>
<message>
<source>pairs is empty: omit it or name two arms</source>
<translation type="unfinished" />
</message>
<message>
<source>pairs has {value!r}: expected two different arms of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>seeds is {shown}: expected distinct whole numbers, as in [0, 1, 2], or a range of at most {max_seeds}, as in "0-4"</source>
<translation type="unfinished" />
</message>
<message>
<source>arm {name!r} is of family {family!r}, but the objective is {objective!r}: expected the same in all arms</source>
<translation type="unfinished" />
</message>
<message>
<source> in some arms and </source>
<translation type="unfinished" />
</message>
<message>
<source>measured is {shown} in others: expected the same in all arms</source>
<translation type="unfinished" />
</message>
<message>
<source>two runs have the folder {twice}: rename the arm</source>
<translation type="unfinished" />
</message>
<message>
<source>validation and training (dashed)</source>
<translation type="unfinished" />
</message>
<message>
<source>hours of training</source>
<translation type="unfinished" />
</message>
<message>
<source>minutes of training</source>
<translation type="unfinished" />
</message>
<message>
<source>, 95 % interval {low:.3f} to {high:.3f}</source>
<translation type="unfinished" />
</message>
<message>
<source>seed</source>
<translation type="unfinished" />
</message>
<message>
<source>seeds</source>
<translation type="unfinished" />
</message>
<message>
<source>{name}, {seeds}, {unit}; first {first}; lowest {lowest}; last {last}{between}</source>
<translation type="unfinished" />
</message>
<message>
<source>{title}: no evaluation yet</source>
<translation type="unfinished" />
</message>
<message>
<source>seconds of training</source>
<translation type="unfinished" />
</message>
<message>
<source>no study {name_or_file!r}: expected a TOML file or one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} holds no study and no run: expected a folder with study.toml or recipe.toml</source>
<translation type="unfinished" />
</message>
<message>
<source>study list</source>
<translation type="unfinished" />
</message>
<message>
<source>the folder {folder} was deleted: there is nothing to resume</source>
<translation type="unfinished" />
</message>
<message>
<source>the folder {folder} was deleted: cannot {request} the study in it</source>
<translation type="unfinished" />
</message>
<message>
<source>the study in {folder} has started meanwhile: it is not deleted</source>
<translation type="unfinished" />
</message>
<message>
<source>{name!r} is no name for a folder: expected letters, digits, spaces, dots and dashes</source>
<translation type="unfinished" />
</message>
<message>
<source>there is a study {name} already: choose another name</source>
<translation type="unfinished" />
</message>
<message>
<source>the folder {folder} was deleted, or no longer holds a study</source>
<translation type="unfinished" />
</message>
<message>
<source>the study {name} is running: stop it first</source>
<translation type="unfinished" />
</message>
<message>
<source>Size of the token embeddings (d_model)</source>
<translation type="unfinished" />
</message>
<message>
<source>Number of transformer blocks</source>
<translation type="unfinished" />
</message>
<message>
<source>Attention heads per layer</source>
<translation type="unfinished" />
</message>
<message>
<source>Size of the feed-forward layer; other arms get one with equal parameters</source>
<translation type="unfinished" />
</message>
<message>
<source>Maximum sequence length in tokens; a bar of 4/4 has 64</source>
<translation type="unfinished" />
</message>
<message>
<source>Sequences per step</source>
<translation type="unfinished" />
</message>
<message>
<source>Evaluate ever&amp;y</source>
<translation type="unfinished" />
</message>
<message>
<source>Steps between validation evaluations</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop after</source>
<translation type="unfinished" />
</message>
<message>
<source>Evaluations in a row without improvement that end a run before its budget</source>
<translation type="unfinished" />
</message>
<message>
<source>Least gain</source>
<translation type="unfinished" />
</message>
<message>
<source>Least decrease of the validation loss, in nats, that counts as an improvement</source>
<translation type="unfinished" />
</message>
<message>
<source>the study</source>
<translation type="unfinished" />
</message>
<message>
<source>evaluation</source>
<translation type="unfinished" />
</message>
<message>
<source>evaluations</source>
<translation type="unfinished" />
</message>
<message>
<source>Waiting in the queue</source>
<translation type="unfinished" />
</message>
<message>
<source>Stopped and saved</source>
<translation type="unfinished" />
</message>
<message>
<source>Cannot be read</source>
<translation type="unfinished" />
</message>
<message>
<source>The study is running: stop it first</source>
<translation type="unfinished" />
</message>
<message>
<source>The study is paused and its process is waiting: stop it first</source>
<translation type="unfinished" />
</message>
<message>
<source>The folder was deleted</source>
<translation type="unfinished" />
</message>
<message>
<source>was interrupted</source>
<translation type="unfinished" />
</message>
<message>
<source>was stopped and saved</source>
<translation type="unfinished" />
</message>
<message>
<source>was cancelled; it can be resumed from its last checkpoint</source>
<translation type="unfinished" />
</message>
<message>
<source>Pausing after this step …</source>
<translation type="unfinished" />
</message>
<message>
<source>Stopping and saving …</source>
<translation type="unfinished" />
</message>
<message>
<source>Ray is not installed: install musicrel with its extra, as in pip install '.[cluster]'</source>
<translation type="unfinished" />
</message>
<message>
<source>finishing with the last evaluation</source>
<translation type="unfinished" />
</message>
<message>
<source>The study is running: stop it to choose where it continues</source>
<translation type="unfinished" />
</message>
<message>
<source>Connecting to the cluster …</source>
<translation type="unfinished" />
</message>
<message>
<source> · single run</source>
<translation type="unfinished" />
</message>
<message>
<source>The study is not running: {lower}</source>
<translation type="unfinished" />
</message>
<message>
<source>It is queued</source>
<translation type="unfinished" />
</message>
<message>
<source>The study is finished</source>
<translation type="unfinished" />
</message>
<message>
<source>The study is running</source>
<translation type="unfinished" />
</message>
<message>
<source>The study is paused: resume it</source>
<translation type="unfinished" />
</message>
<message>
<source>The folder cannot be read</source>
<translation type="unfinished" />
</message>
<message>
<source>It is already paused</source>
<translation type="unfinished" />
</message>
<message>
<source>It is not paused</source>
<translation type="unfinished" />
</message>
<message>
<source>A run of the study is running: stop it first</source>
<translation type="unfinished" />
</message>
<message>
<source>; one of its runs is running</source>
<translation type="unfinished" />
</message>
<message>
<source>Runs in process {writer}, which continues when this window is closed.</source>
<translation type="unfinished" />
</message>
<message>
<source>No result: the folder cannot be read.</source>
<translation type="unfinished" />
</message>
<message>
<source>A single run has no comparison.</source>
<translation type="unfinished" />
</message>
<message>
<source>No result yet: no row is measured.</source>
<translation type="unfinished" />
</message>
<message>
<source>No result yet: no seed is finished in both arms.</source>
<translation type="unfinished" />
</message>
<message>
<source>Learning rates, chosen on validation: {found}.</source>
<translation type="unfinished" />
</message>
<message>
<source>A model of this study {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>Remove “{title}” from the queue? It has not started.</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop “{title}” now? Progress since the last checkpoint is lost; the study can be resumed from there.</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop now</source>
<translation type="unfinished" />
</message>
<message>
<source>Keep running</source>
<translation type="unfinished" />
</message>
<message>
<source>The study {title} {words}</source>
<translation type="unfinished" />
</message>
<message>
<source>lost; its runs resume on other nodes</source>
<translation type="unfinished" />
</message>
<message>
<source>No node is left. </source>
<translation type="unfinished" />
</message>
<message>
<source>{gone}{count} {verb} for a place.</source>
<translation type="unfinished" />
</message>
<message>
<source>{by_arm}: the node {node} was lost; the run resumes from its last checkpoint on another one</source>
<translation type="unfinished" />
</message>
<message>
<source>processor</source>
<translation type="unfinished" />
</message>
<message>
<source>processors</source>
<translation type="unfinished" />
</message>
<message>
<source>GPU</source>
<translation type="unfinished" />
</message>
<message>
<source>GPUs</source>
<translation type="unfinished" />
</message>
<message>
<source>learning rate</source>
<translation type="unfinished" />
</message>
<message>
<source>row</source>
<translation type="unfinished" />
</message>
<message>
<source>rows</source>
<translation type="unfinished" />
</message>
<message>
<source>{value:.0f} %  ·  {len} of {rows} measured</source>
<translation type="unfinished" />
</message>
<message>
<source>{len} runs side by side</source>
<translation type="unfinished" />
</message>
<message>
<source>about {duration} left</source>
<translation type="unfinished" />
</message>
<message>
<source>{done} of {count} done</source>
<translation type="unfinished" />
</message>
<message>
<source>{arm}, seed {seed}: evaluating {split}, {done} of {pieces}</source>
<translation type="unfinished" />
</message>
<message>
<source>{arm}, seed {seed}: step {step:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder} cannot be read ({name}: {reason}): it is damaged, or of another version of musicrel</source>
<translation type="unfinished" />
</message>
<message>
<source>model {name!r} has no counterpoint tables to calibrate</source>
<translation type="unfinished" />
</message>
<message>
<source>none of {len} pieces has at most {max_form_steps} sixteenths</source>
<translation type="unfinished" />
</message>
<message>
<source>{lacking}: the run is in single precision</source>
<translation type="unfinished" />
</message>
<message>
<source>the checkpoint is of another model: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>the loss of step {number} is {nats} with a gradient of norm {norm}</source>
<translation type="unfinished" />
</message>
<message>
<source>the checkpoint is of another model: the moments of {name!r} do not fit</source>
<translation type="unfinished" />
</message>
<message>
<source>recipe {source!r} needs its own model, by way of {value}: expected recipes of which one can be trained first</source>
<translation type="unfinished" />
</message>
<message>
<source>recipe {name!r} needs {source!r}, which is neither the folder of a model nor a recipe (searched from {cwd}): expected one of {names}, a TOML file, or a folder with {card}</source>
<translation type="unfinished" />
</message>
<message>
<source>its {value} is {value_2!r} and not {value_3!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has other counterpoint tables</source>
<translation type="unfinished" />
</message>
<message>
<source>a run cannot be initialised from the model of {where}: {reason}; expected a model of the same recipe, with the same counterpoint tables or none</source>
<translation type="unfinished" />
</message>
<message>
<source>its family</source>
<translation type="unfinished" />
</message>
<message>
<source>its number of tokens</source>
<translation type="unfinished" />
</message>
<message>
<source>the list of its conditions</source>
<translation type="unfinished" />
</message>
<message>
<source>the model of {where} cannot be a teacher: {what} is {words}, expected {words_2} as in the model that learns</source>
<translation type="unfinished" />
</message>
<message>
<source>new pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>the model {base} cannot be taught: expected one that writes from left to right and has its recipe in its card, such as relative</source>
<translation type="unfinished" />
</message>
<message>
<source>the recipe of {base}</source>
<translation type="unfinished" />
</message>
<message>
<source>It was taught {value:,} pieces: the loss on held-out ones went from {before:.3f} to {after:.3f} nats/note, {change} (95 % interval {low} to {high}), on Bach's chorales from {value_2:.3f} to {value_3:.3f}; {value_4:.1%} of the eight-beat passages in {value_5} new pieces are copied</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no note to compare two models on: expected held-out pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder}, made before {name!r},</source>
<translation type="unfinished" />
</message>
<message>
<source>{how} from {name}, which is trained first in {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>the loss on validation is {valid}</source>
<translation type="unfinished" />
</message>
<message>
<source>the tables of round {number} are of another model: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>memory does not suffice to evaluate on {split}: free some and resume</source>
<translation type="unfinished" />
</message>
<message>
<source>{best} does not hold the weights that were stored there: start the run again in another folder</source>
<translation type="unfinished" />
</message>
<message>
<source>{more} more changes are in {path}</source>
<translation type="unfinished" />
</message>
<message>
<source>{folder} holds a run of recipe {name!r} with other values than {name_2!r} has now: resume with its own recipe.toml, or choose another --out</source>
<translation type="unfinished" />
</message>
<message>
<source>the training steps are run operation by operation, which takes longer, because CUDA cannot record them as a whole: {}</source>
<translation type="unfinished" />
</message>
<message>
<source> of {stop_gain:g} nats</source>
<translation type="unfinished" />
</message>
<message>
<source>no improvement{gain} on validation in {times}, at step {step:,} after {value:.0f} % of the budget</source>
<translation type="unfinished" />
</message>
<message>
<source>after step {step} weights are not finite</source>
<translation type="unfinished" />
</message>
<message>
<source>no checkpoint was written yet: the run starts from the beginning</source>
<translation type="unfinished" />
</message>
<message>
<source>the run was made with {before}, now it is {machine}: </source>
<translation type="unfinished" />
</message>
<message>
<source>it continues, but not bit-exactly</source>
<translation type="unfinished" />
</message>
<message>
<source>the loss diverged again after the rate was halved {rollbacks} times ({reason}): lower the learning rate</source>
<translation type="unfinished" />
</message>
<message>
<source>memory does not hold even one sequence of {window} tokens: lower window, width or layers in the recipe</source>
<translation type="unfinished" />
</message>
<message>
<source>the loss of step {number} is {nats:.3f} nats, after a lowest smoothed loss of {lowest:.3f}</source>
<translation type="unfinished" />
</message>
<message>
<source>the data {source!r} are not those the run started with: restore them, or start again in another folder</source>
<translation type="unfinished" />
</message>
<message>
<source>the model {init_from!r} is not the one the run started with: restore it, or start again in another folder</source>
<translation type="unfinished" />
</message>
<message>
<source>the teachers {join} are not those the run started with: restore them, or start again in another folder</source>
<translation type="unfinished" />
</message>
<message>
<source>the counters of the newest checkpoint are damaged: delete its two files</source>
<translation type="unfinished" />
</message>
<message>
<source>Curves appear after the first evaluation.</source>
<translation type="unfinished" />
</message>
<message>
<source>color: {}; white-space: pre</source>
<translation type="unfinished" />
</message>
<message>
<source>The score cannot be engraved: the package verovio is missing; reinstall musicrel</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece cannot be engraved: Verovio rejects its MusicXML</source>
<translation type="unfinished" />
</message>
<message>
<source>the engraved score has an element {kind!r}: expected lines and glyphs</source>
<translation type="unfinished" />
</message>
<message>
<source>an outline has the command {command!r}: expected M L H V C S or Z</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: expected a name that ends in {known}{hint}</source>
<translation type="unfinished" />
</message>
<message>
<source>; a PDF is exported by the window (File &gt; Export…)</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} has no place for Roman numerals: expected a name that ends in {known}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot draw {path}: expected a name that ends in {known}</source>
<translation type="unfinished" />
</message>
<message>
<source>a PNG of {width} x {height} dots is too large: expected at most {value} million dots; export SVG, or a part of the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>the first arm</source>
<translation type="unfinished" />
</message>
<message>
<source>the arm</source>
<translation type="unfinished" />
</message>
<message>
<source>the second</source>
<translation type="unfinished" />
</message>
<message>
<source>← {first} has the lower loss  ·  {first} has the higher loss →</source>
<translation type="unfinished" />
</message>
<message>
<source>{unit}, loss of {first} minus that of {other}</source>
<translation type="unfinished" />
</message>
<message>
<source>{observations}, ordered by difference</source>
<translation type="unfinished" />
</message>
<message>
<source>The figures are missing: {reason}.</source>
<translation type="unfinished" />
</message>
<message>
<source>Piano roll of {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>the printer accepts nothing: check that it is switched on, or save a PDF instead</source>
<translation type="unfinished" />
</message>
<message>
<source>page</source>
<translation type="unfinished" />
</message>
<message>
<source>pages</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no page {first}: the piece has {count}</source>
<translation type="unfinished" />
</message>
<message>
<source>close programs that use the folder and try again</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot move {source} to {target}: {describe_failed_write}</source>
<translation type="unfinished" />
</message>
<message>
<source>the choice of tokens</source>
<translation type="unfinished" />
</message>
<message>
<source>candidates is {count}, but at temperature 0 every seed writes the same notes: expected 1 candidate, or a temperature above 0</source>
<translation type="unfinished" />
</message>
<message>
<source>the original has {steps} steps and the piece to be written {steps_2}: expected the same length</source>
<translation type="unfinished" />
</message>
<message>
<source>surprisal of the region and everything after it, nats per note of the region</source>
<translation type="unfinished" />
</message>
<message>
<source>distance from Bach of the whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>parallel fifths, octaves and unisons per 1,000 notes</source>
<translation type="unfinished" />
</message>
<message>
<source>% of steps at which voices cross</source>
<translation type="unfinished" />
</message>
<message>
<source>% of steps at which upper voices are over an octave apart</source>
<translation type="unfinished" />
</message>
<message>
<source>Copied from Bach</source>
<translation type="unfinished" />
</message>
<message>
<source>share of the region's two-bar chunks that the training chorales contain</source>
<translation type="unfinished" />
</message>
<message>
<source>share of the phrase ends without the requested cadence, if one is requested</source>
<translation type="unfinished" />
</message>
<message>
<source>share of the free notes that differ from the original; a weight above 0 prefers similar candidates, below 0 different ones</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no weight {name!r}: expected some of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>the weight of {name!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>can't allocate memory</source>
<translation type="unfinished" />
</message>
<message>
<source>out of memory</source>
<translation type="unfinished" />
</message>
<message>
<source>memory is too small for a piece of {length} tokens: ask for fewer bars or take a smaller model</source>
<translation type="unfinished" />
</message>
<message>
<source>model {name!r} is of family {family}: it finds hidden notes and does not write in order; choose one of family causal or encoder_decoder</source>
<translation type="unfinished" />
</message>
<message>
<source>the device cannot record a step ({}): generation continues, but slower</source>
<translation type="unfinished" />
</message>
<message>
<source>model {model!r} gives no distribution at step {step}: its weights are broken</source>
<translation type="unfinished" />
</message>
<message>
<source>memory is too small for {len} pieces at once: writing {value} at a time</source>
<translation type="unfinished" />
</message>
<message>
<source>the prompts have {shown} tokens: expected the same for all, fewer than the {length} of the whole piece; shorten the prompt or ask for a longer piece</source>
<translation type="unfinished" />
</message>
<message>
<source>the rule{value} {join} and </source>
<translation type="unfinished" />
</message>
<message>
<source>no note is left for the {title} in {bar}, step {step}: {named}the locks forbid all; switch a rule off, free a cell near or take another seed</source>
<translation type="unfinished" />
</message>
<message>
<source>this model cannot keep a given rhythm, as it does not distinguish held notes from repeated ones: choose another, such as relative</source>
<translation type="unfinished" />
</message>
<message>
<source>the {title} at step {step}</source>
<translation type="unfinished" />
</message>
<message>
<source>the locks are for {shown} steps: expected 1 to {max_steps}</source>
<translation type="unfinished" />
</message>
<message>
<source>locks for {steps} and for {steps_2} steps do not go together: expected the same length</source>
<translation type="unfinished" />
</message>
<message>
<source>the prompt is too long: it has {steps} steps, and the whole piece has {steps_2}; ask for more bars or take a shorter prompt</source>
<translation type="unfinished" />
</message>
<message>
<source>the locks</source>
<translation type="unfinished" />
</message>
<message>
<source>the locks have more than {max_cells} cells: give each once</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} holds invalid locks: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>a lock is at step {step}, out of the piece: expected 0 to {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>a lock is for voice {voice}: expected 0 (soprano) to 3 (bass)</source>
<translation type="unfinished" />
</message>
<message>
<source>{cell} is locked to pitch {pitch}, outside the range of the models: expected {lowest_pitch} to {highest_pitch}, or -1 for a rest</source>
<translation type="unfinished" />
</message>
<message>
<source>the onset of {cell} is {onset!r}: expected true, false or null (True, False or None in Python)</source>
<translation type="unfinished" />
</message>
<message>
<source>the locks contradict each other: {first} is given as {value} and as {value_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>pitch {pitch} is</source>
<translation type="unfinished" />
</message>
<message>
<source>nothing is</source>
<translation type="unfinished" />
</message>
<message>
<source>the locks contradict each other: {cell} holds pitch {pitch}, but {shown} before it; let the note begin there</source>
<translation type="unfinished" />
</message>
<message>
<source>expected voices, bars or both, as in soprano, 5-8, alto,tenor:5-8, first or last</source>
<translation type="unfinished" />
</message>
<message>
<source>no part of the piece to rewrite is given: {expected}</source>
<translation type="unfinished" />
</message>
<message>
<source>{text!r} names no part of a piece: {expected}</source>
<translation type="unfinished" />
</message>
<message>
<source>{text!r} is not in the piece: expected bars {lowest} to {highest}{value}, the lower one first</source>
<translation type="unfinished" />
</message>
<message>
<source>no voice leaves its range</source>
<translation type="unfinished" />
</message>
<message>
<source>no voice sounds below the next lower one</source>
<translation type="unfinished" />
</message>
<message>
<source>no parallel fifths, octaves or unisons between any two voices</source>
<translation type="unfinished" />
</message>
<message>
<source>only notes of the key's scale; in minor sixth and seventh may be raised</source>
<translation type="unfinished" />
</message>
<message>
<source>no voice rests</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no hard rule {name!r}: expected some of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>the rule 'scale' needs to know the key: give one, as in 'G major'</source>
<translation type="unfinished" />
</message>
<message>
<source>the locked notes break the rule {rule!r} in {bar_name}, {who} (step {step}: {lower}{value}): switch the rule off or free one of these notes</source>
<translation type="unfinished" />
</message>
<message>
<source>the pickup</source>
<translation type="unfinished" />
</message>
<message>
<source>the range of the {title} has no note of {key}: expected a wider one, or the rule 'scale' switched off</source>
<translation type="unfinished" />
</message>
<message>
<source>Church choir</source>
<translation type="unfinished" />
</message>
<message>
<source>Soprano to G5, bass from E2</source>
<translation type="unfinished" />
</message>
<message>
<source>Professional choir</source>
<translation type="unfinished" />
</message>
<message>
<source>Soprano to C6 (models write up to A5), bass from D2</source>
<translation type="unfinished" />
</message>
<message>
<source>Youth choir</source>
<translation type="unfinished" />
</message>
<message>
<source>Soprano to F5, tenor to F4, bass from G2</source>
<translation type="unfinished" />
</message>
<message>
<source>Full range</source>
<translation type="unfinished" />
</message>
<message>
<source>Ranges of the training pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>voice ranges are {text!r}: expected one of {join}, or the lowest and highest MIDI number of S, A, T and B as in 60-81,55-74,48-69,40-64</source>
<translation type="unfinished" />
</message>
<message>
<source>voice ranges are {shown}: expected the lowest and highest MIDI number of S, A, T, B</source>
<translation type="unfinished" />
</message>
<message>
<source>the range of the {title} is {shown}-{shown_2}: expected the lower MIDI number first, and notes between {lowest_pitch} and {highest_pitch}</source>
<translation type="unfinished" />
</message>
<message>
<source>the {title} has no notes: expected a melody</source>
<translation type="unfinished" />
</message>
<message>
<source>no voice is named: expected some of S, A, T, B</source>
<translation type="unfinished" />
</message>
<message>
<source>steps {shown}:{shown_2} are not in the piece: expected 0 to {steps}, the lower one first</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece would have {whole:,} bars: expected at most {most} of {meter}, as many as can be written at once; continue a shorter one</source>
<translation type="unfinished" />
</message>
<message>
<source>{text!r} names no voices: expected some of S, A, T, B, as in A,T</source>
<translation type="unfinished" />
</message>
<message>
<source>{text!r} is not a range of steps: expected sixteenths as in 16:32, half-open</source>
<translation type="unfinished" />
</message>
<message>
<source>muted heads cannot be replaced by {by!r}: expected mean or zero</source>
<translation type="unfinished" />
</message>
<message>
<source>the model has no head {code}: expected layers 1 to {layers} and heads 1 to {heads}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read the head {part!r}: expected layer and head as in 2.3, or a layer as in 2</source>
<translation type="unfinished" />
</message>
<message>
<source>the means of the heads of {name} are not known: compute them with musicrel ablate means, or replace heads by zero</source>
<translation type="unfinished" />
</message>
<message>
<source>head means</source>
<translation type="unfinished" />
</message>
<message>
<source>Preparing musicrel for this processor, once: this takes about half a minute …</source>
<translation type="unfinished" />
</message>
<message>
<source>the decoding step</source>
<translation type="unfinished" />
</message>
<message>
<source>while torch computes for comparison</source>
<translation type="unfinished" />
</message>
<message>
<source>by {switch}=off: pieces are written by torch</source>
<translation type="unfinished" />
</message>
<message>
<source>the compiled kernel is switched off {how}</source>
<translation type="unfinished" />
</message>
<message>
<source>{switch} is {value!r}: expected on or off</source>
<translation type="unfinished" />
</message>
<message>
<source>{part} cannot be compiled</source>
<translation type="unfinished" />
</message>
<message>
<source>numba does not work</source>
<translation type="unfinished" />
</message>
<message>
<source>reinstall numba</source>
<translation type="unfinished" />
</message>
<message>
<source>the folder for compiled functions cannot be used</source>
<translation type="unfinished" />
</message>
<message>
<source>make it writable</source>
<translation type="unfinished" />
</message>
<message>
<source>the compiled kernel is not used, because {what} ({first_line}): pieces are written by torch, which takes longer; {remedy} to change that</source>
<translation type="unfinished" />
</message>
<message>
<source>weight type {!r} is not supported: int8 weights were removed in version 2, leave the type out</source>
<translation type="unfinished" />
</message>
<message>
<source>the model {name} sees notes on both sides and does not predict a piece note by note: choose a model that generates from left to right to see its attention and surprisal</source>
<translation type="unfinished" />
</message>
<message>
<source>the ids have shape {shape}: expected one row of at least one</source>
<translation type="unfinished" />
</message>
<message>
<source>the ids run from {min} to {max}: expected 0 to {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>the conditions have shape {shape}: expected rows of {name!r} of shape ({length}, {len}), as condition_rows gives them</source>
<translation type="unfinished" />
</message>
<message>
<source>{name}: its vocabulary {named!r} with {tokens} tokens is unknown to this program; update musicrel to use the model</source>
<translation type="unfinished" />
</message>
<message>
<source>{name}: its condition {condition!r} with {size} rows is unknown to this program; update musicrel to use the model</source>
<translation type="unfinished" />
</message>
<message>
<source>before the last</source>
<translation type="unfinished" />
</message>
<message>
<source>phrases are {phrases!r}: expected the bars of each phrase, such as 2,2,4</source>
<translation type="unfinished" />
</message>
<message>
<source>cadence is {kind!r}: expected {join}, or none; one for all phrases or one for each, as in half,,authentic</source>
<translation type="unfinished" />
</message>
<message>
<source>there are {len} cadences for {phrases} phrases: expected one for all, or one for each phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>A first try: notes are resampled twice, or written once</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes are resampled several times, or chosen from 8 versions of a phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes are resampled many times, or chosen from 32 versions: the slowest</source>
<translation type="unfinished" />
</message>
<message>
<source>Number of times an infill model, such as relative-infill, resamples its notes and repairs missed cadences, parallels and 6-4 chords, and number of versions of each phrase that a causal model, such as relative, writes side by side to choose from</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece has {bars:,} bars: expected at most {most} of {meter}, as many as can be written at once; take a part of it</source>
<translation type="unfinished" />
</message>
<message>
<source>the words</source>
<translation type="unfinished" />
</message>
<message>
<source>the stored settings are not a request of musicrel: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is {shown}: expected {named}</source>
<translation type="unfinished" />
</message>
<message>
<source>phrases are {shown}: expected whole numbers of bars</source>
<translation type="unfinished" />
</message>
<message>
<source>fermatas are {shown}: expected pairs of steps</source>
<translation type="unfinished" />
</message>
<message>
<source>1 to {most} of {meter}</source>
<translation type="unfinished" />
</message>
<message>
<source>begins on</source>
<translation type="unfinished" />
</message>
<message>
<source>tonic, dominant or ''</source>
<translation type="unfinished" />
</message>
<message>
<source>aab or ''</source>
<translation type="unfinished" />
</message>
<message>
<source>last chord</source>
<translation type="unfinished" />
</message>
<message>
<source>tonic, authentic or ''</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is {value}: expected {expected}</source>
<translation type="unfinished" />
</message>
<message>
<source>pickup is {shown} sixteenths: expected 0 to {value}, less than a bar of {meter}</source>
<translation type="unfinished" />
</message>
<message>
<source>phrases are {shown}: expected lengths above 0</source>
<translation type="unfinished" />
</message>
<message>
<source>the phrases have {in_bars}: expected {bars}, the length of the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>length is {shown} sixteenths: expected 0 (whole bars) to {whole}, {bars} bars</source>
<translation type="unfinished" />
</message>
<message>
<source>the form A A B is for new pieces, but some notes are given: expected no fixed notes, or another form</source>
<translation type="unfinished" />
</message>
<message>
<source>a piece of {in_bars} cannot have the form A A B: expected at least {shortest_bar_form} bars, or another form</source>
<translation type="unfinished" />
</message>
<message>
<source>the phrases {given} do not have the form A A B: expected some twice and then others, as in 2,2,2,2,4, or another form</source>
<translation type="unfinished" />
</message>
<message>
<source>the form A A B repeats phrases, and the piece has none: expected phrases that are drawn, a model that is conditioned on fermatas, or another form</source>
<translation type="unfinished" />
</message>
<message>
<source>there are {kinds} cadences, but the phrases are drawn: give the phrases, as in 2,2,4, or one cadence for all</source>
<translation type="unfinished" />
</message>
<message>
<source>a fermata holds from step {shown} to {shown_2}: expected steps within 0 to {steps}, the first one less</source>
<translation type="unfinished" />
</message>
<message>
<source>the locks are for {steps} steps, but the requested piece has {steps_2}: give both the same length</source>
<translation type="unfinished" />
</message>
<message>
<source>every note is locked: free at least one note</source>
<translation type="unfinished" />
</message>
<message>
<source>the rhythm of the soprano is given, but not the length of the piece: expected the number of bars with it</source>
<translation type="unfinished" />
</message>
<message>
<source>the rhythm is {shown}: expected steps within 0 to {value}, the first one 0, each later than the one before</source>
<translation type="unfinished" />
</message>
<message>
<source>the rhythm of the soprano and some of its notes are given: expected one of them</source>
<translation type="unfinished" />
</message>
<message>
<source>the form A A B repeats notes, but the rhythm of the soprano is given: expected another form</source>
<translation type="unfinished" />
</message>
<message>
<source>lyrics are {shown}: expected values of Lyric</source>
<translation type="unfinished" />
</message>
<message>
<source>the syllable {text!r} is under the {title} at step {shown}: expected one of the soprano at a step of the rhythm, {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece ranges from {name} to {name_2}: expected pitches from {name_3} to {name_4}; move its highest or lowest notes by an octave</source>
<translation type="unfinished" />
</message>
<message>
<source>the melody ranges from {name} to {name_2}, {value} semitones: expected at most {value_2} for the {title}; move its highest or lowest notes by an octave</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece has no cell {cell}: expected 0 to {value}, four times the step plus the voice</source>
<translation type="unfinished" />
</message>
<message>
<source>the model {name} normalises its states after every layer, so they are no sum of what its heads wrote: choose a model that normalises before the layers</source>
<translation type="unfinished" />
</message>
<message>
<source>the model {model} reads a chorale once for every note, which takes too long for all of them: choose one that writes from left to right</source>
<translation type="unfinished" />
</message>
<message>
<source>Sum over the notes that begin in the bar of what the head adds to their logits, against all notes weighted by probability, in nats.</source>
<translation type="unfinished" />
</message>
<message>
<source>first step</source>
<translation type="unfinished" />
</message>
<message>
<source>step after the last</source>
<translation type="unfinished" />
</message>
<message>
<source>Strongest bars of {lower}</source>
<translation type="unfinished" />
</message>
<message>
<source>{text!r} names no note: expected voice, bar and beat, as in alto:5.2, or with the sixteenth of the beat, as in alto:5.2.3</source>
<translation type="unfinished" />
</message>
<message>
<source>{text!r} is not in the piece: it has bars {value} to {bar_number} of {value_2} beats of {unit} sixteenths</source>
<translation type="unfinished" />
</message>
<message>
<source>Running sum of B − A in nats: it rises where A predicts better and falls where B does.</source>
<translation type="unfinished" />
</message>
<message>
<source>{summary}.  The curve rises where A predicts better.</source>
<translation type="unfinished" />
</message>
<message>
<source>{value} and {value_2}: surprisal compared</source>
<translation type="unfinished" />
</message>
<message>
<source>{name}: {here} is put at {there}</source>
<translation type="unfinished" />
</message>
<message>
<source>Learned places, bar {least:.1f} to {most:.1f}. Dotted: where the notes are.</source>
<translation type="unfinished" />
</message>
<message>
<source>┊ equal weights</source>
<translation type="unfinished" />
</message>
<message>
<source>No cadence was found in this piece.</source>
<translation type="unfinished" />
</message>
<message>
<source>No model on this page wrote this piece.</source>
<translation type="unfinished" />
</message>
<message>
<source>Nothing to measure yet.</source>
<translation type="unfinished" />
</message>
<message>
<source>{pieces} test pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>Equal weights: {figure}</source>
<translation type="unfinished" />
</message>
<message>
<source>equal weights</source>
<translation type="unfinished" />
</message>
<message>
<source>{words} (95 % interval over {over}: {low} to {high})</source>
<translation type="unfinished" />
</message>
<message>
<source>95 % bootstrap over pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>the models are {join}: expected each only once</source>
<translation type="unfinished" />
</message>
<message>
<source>pieces is {number}: expected 1 to {len}, those of the test split</source>
<translation type="unfinished" />
</message>
<message>
<source>reading its own</source>
<translation type="unfinished" />
</message>
<message>
<source>its own</source>
<translation type="unfinished" />
</message>
<message>
<source>the opposite</source>
<translation type="unfinished" />
</message>
<message>
<source>Bach, or equal weights</source>
<translation type="unfinished" />
</message>
<message>
<source>Values with 95 % intervals (bootstrap over pieces). {pieces} test pieces by Bach, read with what follows from the grid alone, and {pieces} pieces that each model wrote (seeds {first_seed} to {last}, top-p 0.9, draft quality, phrases and pickup drawn). Shares: mean of all heads. Claim: whether the interval of the difference is on the side that the source describes, for these models: each is one training run, and another seed may differ.</source>
<translation type="unfinished" />
</message>
<message>
<source>strongest head, Bach's pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>all heads</source>
<translation type="unfinished" />
</message>
<message>
<source>Most probable</source>
<translation type="unfinished" />
</message>
<message>
<source>Votes for {note}. {words}</source>
<translation type="unfinished" />
</message>
<message>
<source>{name}: {raised:+.2f} nats. Click to open it.</source>
<translation type="unfinished" />
</message>
<message>
<source>Sources of {note}. {words}</source>
<translation type="unfinished" />
</message>
<message>
<source>Random others</source>
<translation type="unfinished" />
</message>
<message>
<source>Strongest by weight</source>
<translation type="unfinished" />
</message>
<message>
<source>whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>{text}; looks at {shares}</source>
<translation type="unfinished" />
</message>
<message>
<source>{title} as source {words}</source>
<translation type="unfinished" />
</message>
<message>
<source>Effects of heads, {of}</source>
<translation type="unfinished" />
</message>
<message>
<source>effect in nats</source>
<translation type="unfinished" />
</message>
<message>
<source>made no difference</source>
<translation type="unfinished" />
</message>
<message>
<source>{value} by {abs:.2f} nats</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal {before:.2f} nats</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal {before:.2f} nats, muted {after:.2f} ({effect})</source>
<translation type="unfinished" />
</message>
<message>
<source>Before layer 1</source>
<translation type="unfinished" />
</message>
<message>
<source>p with muted heads</source>
<translation type="unfinished" />
</message>
<message>
<source>is the note</source>
<translation type="unfinished" />
</message>
<message>
<source>No note comes before this one</source>
<translation type="unfinished" />
</message>
<message>
<source>Rank correlation of weight and size of effect: {correlation}</source>
<translation type="unfinished" />
</message>
<message>
<source>{mean:.3f} nats strongest, {mean_2:.3f} random</source>
<translation type="unfinished" />
</message>
<message>
<source>{text}. Mean size: {means}</source>
<translation type="unfinished" />
</message>
<message>
<source>All voices ({position})</source>
<translation type="unfinished" />
</message>
<message>
<source>Logit lens: the output of every layer read as if it were the last one. Bold: the note of the piece. Colour: its probability.</source>
<translation type="unfinished" />
</message>
<message>
<source>Left: attention, mean of all heads. Right: effect of removing the source, in nats.</source>
<translation type="unfinished" />
</message>
<message>
<source>Change of -log p in nats if the output of a head is replaced by {by}; positive: it helped.</source>
<translation type="unfinished" />
</message>
<message>
<source>its mean</source>
<translation type="unfinished" />
</message>
<message>
<source>Effects of heads: {of}</source>
<translation type="unfinished" />
</message>
<message>
<source> Strips: where the head looks, by voice.</source>
<translation type="unfinished" />
</message>
<message>
<source>Most probable notes: {note}</source>
<translation type="unfinished" />
</message>
<message>
<source>What each layer would choose: {note}</source>
<translation type="unfinished" />
</message>
<message>
<source>Sources of {note}</source>
<translation type="unfinished" />
</message>
<message>
<source>masked note</source>
<translation type="unfinished" />
</message>
<message>
<source>a cell before the first note</source>
<translation type="unfinished" />
</message>
<message>
<source>more than a bar before the note</source>
<translation type="unfinished" />
</message>
<message>
<source>up to a bar before the note, but more than a beat</source>
<translation type="unfinished" />
</message>
<message>
<source>up to a beat before the note, but not the step before</source>
<translation type="unfinished" />
</message>
<message>
<source>the sixteenth before the note</source>
<translation type="unfinished" />
</message>
<message>
<source>the same sixteenth</source>
<translation type="unfinished" />
</message>
<message>
<source>the sixteenth after the note</source>
<translation type="unfinished" />
</message>
<message>
<source>up to a beat after the note, but not the step after</source>
<translation type="unfinished" />
</message>
<message>
<source>up to a bar after the note, but more than a beat</source>
<translation type="unfinished" />
</message>
<message>
<source>more than a bar after the note</source>
<translation type="unfinished" />
</message>
<message>
<source>Mean of all heads</source>
<translation type="unfinished" />
</message>
<message>
<source>the heads of the model {name} learn no places for notes: choose a causal model with the scheme darope</source>
<translation type="unfinished" />
</message>
<message>
<source>the model {name} predicts no notes: choose one of family causal, encoder_decoder or infill</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece has {steps} steps: an infilling model reads up to {max_steps}; choose a passage of it</source>
<translation type="unfinished" />
</message>
<message>
<source>{letter}: most, {most}, on {place}</source>
<translation type="unfinished" />
</message>
<message>
<source>Bars: mean over the piece. Marks: the chosen note.</source>
<translation type="unfinished" />
</message>
<message>
<source>Bars: mean over the piece. Marks: the chosen note. Right: B − A in points.</source>
<translation type="unfinished" />
</message>
<message>
<source> (this note {percent})</source>
<translation type="unfinished" />
</message>
<message>
<source>{infill} sees both sides of a note and {causal} does not: expected two models that write from left to right, or two infilling models</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal of each note's onset, -log p</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal of each note's onset, -log p, computed by {model}: from p = {low} to p = {high} or less</source>
<translation type="unfinished" />
</message>
<message>
<source>Which model is surprised more by a note, and by how many nats. A: {first}, B: {second}</source>
<translation type="unfinished" />
</message>
<message>
<source>{text}, {whole:.2f} nats in total</source>
<translation type="unfinished" />
</message>
<message>
<source>A {first:.3f}, B {second:.3f} nats per note; A predicts better in {sum} of {len} bars, {total:+.1f} nats in total</source>
<translation type="unfinished" />
</message>
<message>
<source>After {place}: {value:+.1f} nats; here {here:+.2f}</source>
<translation type="unfinished" />
</message>
<message>
<source>running sum of the step</source>
<translation type="unfinished" />
</message>
<message>
<source>both are surprised alike</source>
<translation type="unfinished" />
</message>
<message>
<source>{value} is surprised more by {abs:.2f}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: expected a name that ends in {one_of}</source>
<translation type="unfinished" />
</message>
<message>
<source>Rows: predicted cells. Columns: the cells attended to, START first. Numbers: bars.</source>
<translation type="unfinished" />
</message>
<message>
<source>Rows: cells, each predicted from all others. Columns: the sixteenths attended to. Numbers: bars.</source>
<translation type="unfinished" />
</message>
<message>
<source>Above: weights of A. Below: weights of B, on the same scale. Colours: voices.</source>
<translation type="unfinished" />
</message>
<message>
<source>Weights by step. Colours: voices.</source>
<translation type="unfinished" />
</message>
<message>
<source>Bars: this piece, with intervals of 95 % over its bars. Grey: Bach. Dotted: equal weights.</source>
<translation type="unfinished" />
</message>
<message>
<source>In bars. Dotted: where the notes are.</source>
<translation type="unfinished" />
</message>
<message>
<source>Attention of {title}</source>
<translation type="unfinished" />
</message>
<message>
<source>Shares of attention: {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>shares of attention</source>
<translation type="unfinished" />
</message>
<message>
<source>Claims about relative attention</source>
<translation type="unfinished" />
</message>
<message>
<source>the heads put</source>
<translation type="unfinished" />
</message>
<message>
<source>Lines: heads, mean of the four voices.</source>
<translation type="unfinished" />
</message>
<message>
<source>Colours: voices. Grey: other heads.</source>
<translation type="unfinished" />
</message>
<message>
<source>where {who} the notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Where {who} the notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Direct logit attribution: how far each part raises (+) or lowers (−) the logit of a note,</source>
<translation type="unfinished" />
</message>
<message>
<source>against the mean of the notes shown, in nats. Bold: the note of the piece.</source>
<translation type="unfinished" />
</message>
<message>
<source>Voice leading</source>
<translation type="unfinished" />
</message>
<message>
<source>Layer {layer}, network</source>
<translation type="unfinished" />
</message>
<message>
<source>The last note and the given conditions, before layer 1</source>
<translation type="unfinished" />
</message>
<message>
<source>Biases and learnt tables of voice leading, beside the layers</source>
<translation type="unfinished" />
</message>
<message>
<source>Of the heads, {lower} {does} {name} most: {size:.2f}</source>
<translation type="unfinished" />
</message>
<message>
<source>What raised which note: {note}</source>
<translation type="unfinished" />
</message>
<message>
<source>and no single voice decided it</source>
<translation type="unfinished" />
</message>
<message>
<source>a note outside {figure}</source>
<translation type="unfinished" />
</message>
<message>
<source>the {value} of {figure}</source>
<translation type="unfinished" />
</message>
<message>
<source>, ahead of {rival} at {percent}</source>
<translation type="unfinished" />
</message>
<message>
<source>mainly because of {voice}, without which it would be at {without}</source>
<translation type="unfinished" />
</message>
<message>
<source>the model expected this note at {percent}{ahead}, {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>the model preferred {rival}, at {percent} to {percent_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>what spoke for this note was {voice}, without which it would be at {without}</source>
<translation type="unfinished" />
</message>
<message>
<source>its own line</source>
<translation type="unfinished" />
</message>
<message>
<source>the cache holds {length} of {capacity} tokens, {tokens} more do not fit: create it with the capacity for the whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>predicts classes (family classifier), not notes</source>
<translation type="unfinished" />
</message>
<message>
<source>is an arm of the published comparison (family published) and predicts tokens in windows of one beat, not pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>card.json is not the card of a musicrel model</source>
<translation type="unfinished" />
</message>
<message>
<source>card.json has version {version!r}, this program reads {version_2}: update musicrel to use the model</source>
<translation type="unfinished" />
</message>
<message>
<source>card.json names no vocabulary</source>
<translation type="unfinished" />
</message>
<message>
<source>{directory} holds no model: its {card} is missing or unreadable ({reason})</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} {value}: choose a model that predicts notes, of family causal, encoder_decoder or infill</source>
<translation type="unfinished" />
</message>
<message>
<source>none yet</source>
<translation type="unfinished" />
</message>
<message>
<source>no model {name_or_directory!r}: expected a model directory with a {card}, or one of {names}</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} belongs to musicrel and cannot be removed: only models of your own can</source>
<translation type="unfinished" />
</message>
<message>
<source>no model {name} in {user_models}: nothing was removed</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is damaged or was changed: its weights have the SHA-256 {found}…, its card names {expected}…; copy the model again from its source</source>
<translation type="unfinished" />
</message>
<message>
<source>{value}: {reason}; copy the model again</source>
<translation type="unfinished" />
</message>
<message>
<source>{directory} holds no model: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>its tensors are not those of the card's config (first: {odd!r})</source>
<translation type="unfinished" />
</message>
<message>
<source>tensor {name!r} is {kind} of shape {found}: expected F32 or F16 of shape {list}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has {len:,} bytes: expected {value:,}, truncated?</source>
<translation type="unfinished" />
</message>
<message>
<source>{directory}: tensor {name!r} has non-finite values</source>
<translation type="unfinished" />
</message>
<message>
<source>the config of a model</source>
<translation type="unfinished" />
</message>
<message>
<source>width {width} is not a multiple of heads {heads}: expected equal heads</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is {number} in family {family}: expected {expected}</source>
<translation type="unfinished" />
</message>
<message>
<source>the conditions of a model of family {family} are {value}: {given!r} is for family encoder_decoder, which needs it, and for no other</source>
<translation type="unfinished" />
</message>
<message>
<source>cross is true in family {family}: expected false, or family encoder_decoder</source>
<translation type="unfinished" />
</message>
<message>
<source>{len} conditions: expected at most {max_conditions}</source>
<translation type="unfinished" />
</message>
<message>
<source>condition {name!r} has {rows} rows: expected 1 to {max_condition_rows}</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is {number} in family {family} with {tokens} tokens: expected 0, or the number of pitches of the vocabulary of a model of family {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>lines is {lines} with counterpoint {counterpoint} and {tokens} tokens: expected 0, or the value of counterpoint in a vocabulary with holds</source>
<translation type="unfinished" />
</message>
<message>
<source>counterpoint is {counterpoint} in family {family} with conditions {value}: expected {voice!r} among them in a causal model, which has to see which voices of the step are known, and in no other</source>
<translation type="unfinished" />
</message>
<message>
<source>Measuring once which device is faster for {task}: this takes up to a minute …</source>
<translation type="unfinished" />
</message>
<message>
<source>{task} on the {device}</source>
<translation type="unfinished" />
</message>
<message>
<source>the {failed} failed when the speed of {task} was measured ({reason}): the {used} is used; musicrel check measures again</source>
<translation type="unfinished" />
</message>
<message>
<source>the process ended with code {code}</source>
<translation type="unfinished" />
</message>
<message>
<source>it had not ended after {minutes:.0f} minutes</source>
<translation type="unfinished" />
</message>
<message>
<source> and the </source>
<translation type="unfinished" />
</message>
<message>
<source>unknown device {name!r}: expected one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>torch finds no {name} device on this machine: use --device cpu or auto</source>
<translation type="unfinished" />
</message>
<message>
<source>model name</source>
<translation type="unfinished" />
</message>
<message>
<source>{kind} of this machine has no hardware support for bfloat16</source>
<translation type="unfinished" />
</message>
<message>
<source>{name!r} cannot be the name of a model: expected letters, such as {valid!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>{file} of {path} has more than {limit:,} bytes: a model of musicrel is smaller</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is not imported: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is the name of a shipped model: import it under another name</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write into {parent}: {describe_os_error}; make room there</source>
<translation type="unfinished" />
</message>
<message>
<source>the model cannot be stored in {user_models}: {describe_os_error}; nothing was changed</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} holds weights as pickle ({name}), which can run code when they are loaded: export them as {weights}</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} holds no model: expected the files {card} and {weights} side by side</source>
<translation type="unfinished" />
</message>
<message>
<source>{file} in {path} is a link to another folder, or no file: put the file itself into the folder</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} has more than {limit:,} bytes: a model of musicrel is smaller</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} holds {count} models: import each of them from a folder or zip of its own</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: {reason}; copy the model again</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is no model: expected a folder or a zip archive with a {card}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {value}: {why}; copy the model again</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is damaged: {reason}; copy it again</source>
<translation type="unfinished" />
</message>
<message>
<source>it has {len:,} files, at most {max_members:,} are expected</source>
<translation type="unfinished" />
</message>
<message>
<source>two of its files have the same name</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is not unpacked: {problem}; zip the model folder again</source>
<translation type="unfinished" />
</message>
<message>
<source>{name!r} points outside of the archive</source>
<translation type="unfinished" />
</message>
<message>
<source>{name!r} is a link</source>
<translation type="unfinished" />
</message>
<message>
<source>{name!r} is encrypted</source>
<translation type="unfinished" />
</message>
<message>
<source>{name!r} is compressed with another method than Deflate</source>
<translation type="unfinished" />
</message>
<message>
<source>the sequence has {length:,} tokens, but the model learned positions for {limit:,} only: shorten it, or take a model whose positions extend</source>
<translation type="unfinished" />
</message>
<message>
<source>rope with scaling {scaling!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>a head has width {head_width}: {scheme} rotates pairs of dimensions and needs an even width of at least {least}</source>
<translation type="unfinished" />
</message>
<message>
<source>no position at all</source>
<translation type="unfinished" />
</message>
<message>
<source>sinusoids added to the embeddings</source>
<translation type="unfinished" />
</message>
<message>
<source>sinusoids concatenated with the embeddings, projected back</source>
<translation type="unfinished" />
</message>
<message>
<source>a learned vector for every position, added to the embeddings</source>
<translation type="unfinished" />
</message>
<message>
<source>as learned, initialised with the sinusoids</source>
<translation type="unfinished" />
</message>
<message>
<source>a learned vector for every distance, added to keys and values</source>
<translation type="unfinished" />
</message>
<message>
<source>a learned vector for every distance, dotted with the query</source>
<translation type="unfinished" />
</message>
<message>
<source>a learned number for every distance and head, added to the scores</source>
<translation type="unfinished" />
</message>
<message>
<source>projected sinusoids of the distance, dotted with the query</source>
<translation type="unfinished" />
</message>
<message>
<source>queries and keys rotated by their position</source>
<translation type="unfinished" />
</message>
<message>
<source>a slope times the distance, subtracted from the scores</source>
<translation type="unfinished" />
</message>
<message>
<source>as rope, and a learned slope times the distance is subtracted</source>
<translation type="unfinished" />
</message>
<message>
<source>as rope, but pairs slower than the window are not rotated</source>
<translation type="unfinished" />
</message>
<message>
<source>as rope, but slow pairs rotated by a coordinate learned from the token</source>
<translation type="unfinished" />
</message>
<message>
<source>sizes of queries and keys, with the angles of their positions</source>
<translation type="unfinished" />
</message>
<message>
<source>as pope, and a learned slope times the distance is subtracted</source>
<translation type="unfinished" />
</message>
<message>
<source>queries and keys rotated by bar, beat, voice and pitch</source>
<translation type="unfinished" />
</message>
<message>
<source>a learned logarithm of the distance, subtracted from the scores</source>
<translation type="unfinished" />
</message>
<message>
<source>a learned function of the distance as a share of the longest one</source>
<translation type="unfinished" />
</message>
<message>
<source>each token decides how far what lies before it is forgotten</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown positional scheme {scheme!r}: expected one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>position_dropout is {position_dropout}, but scheme {key} adds nothing that could be dropped: set it to 0, or choose one of {supporting}</source>
<translation type="unfinished" />
</message>
<message>
<source>scheme {key} has no option {join}: it takes {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>option {name} of scheme {key}</source>
<translation type="unfinished" />
</message>
<message>
<source>{where} is {value!r}: expected {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>{where} is {value!r}: expected one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>{where} is {value}: expected 1 to {max_option_value}</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not a safetensors file, or it is truncated</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not a safetensors file: its header is not JSON</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not a safetensors file: its header is not a table</source>
<translation type="unfinished" />
</message>
<message>
<source>tensor {name!r} is {kind}: expected {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>tensor {name!r} has the impossible shape {shape}</source>
<translation type="unfinished" />
</message>
<message>
<source>it is a damaged safetensors file: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>step {step}, {title}: pitch {value} is outside {lowest_pitch} to {highest_pitch}, the range of the models; transpose the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>the tokens hold {len} steps, but 'like' has {steps}</source>
<translation type="unfinished" />
</message>
<message>
<source>{size} tokens between START and END: expected four for every step, at least one</source>
<translation type="unfinished" />
</message>
<message>
<source>token {value} at index {value_2} is neither a note nor a rest</source>
<translation type="unfinished" />
</message>
<message>
<source>the voice, soprano to bass</source>
<translation type="unfinished" />
</message>
<message>
<source>the sixteenth within the beat</source>
<translation type="unfinished" />
</message>
<message>
<source>the place in the bar of 4/4 or 3/4</source>
<translation type="unfinished" />
</message>
<message>
<source>whether a fermata holds here</source>
<translation type="unfinished" />
</message>
<message>
<source>the key of the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>quarters left to the end</source>
<translation type="unfinished" />
</message>
<message>
<source>quarters left to the next fermata</source>
<translation type="unfinished" />
</message>
<message>
<source>the token there, where it is given</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown condition {name!r}: expected some of {known}</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown vocabulary {name!r}: expected {known}</source>
<translation type="unfinished" />
</message>
<message>
<source>the disk is full</source>
<translation type="unfinished" />
</message>
<message>
<source>choose a folder you may write to</source>
<translation type="unfinished" />
</message>
<message>
<source>make room on it, or choose another disk</source>
<translation type="unfinished" />
</message>
<message>
<source>your share of the disk is used up</source>
<translation type="unfinished" />
</message>
<message>
<source>the disk takes no file of this size</source>
<translation type="unfinished" />
</message>
<message>
<source>choose another disk</source>
<translation type="unfinished" />
</message>
<message>
<source>the disk cannot be read or written</source>
<translation type="unfinished" />
</message>
<message>
<source>its name is too long</source>
<translation type="unfinished" />
</message>
<message>
<source>choose a shorter one</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: {describe_failed_write}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write into {folder}: {describe_failed_write}</source>
<translation type="unfinished" />
</message>
<message>
<source>nothing is written into {folder}, because {path} is a link, a device or a pipe: put the file or folder itself there</source>
<translation type="unfinished" />
</message>
<message>
<source>a part of its path is a file, not a folder</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: the text has {value!r}, half of a surrogate pair, which no file can hold; remove it</source>
<translation type="unfinished" />
</message>
<message>
<source>playback stopped because of an internal error; press play again</source>
<translation type="unfinished" />
</message>
<message>
<source>no sound: this computer offers no audio device; connect one and press play again</source>
<translation type="unfinished" />
</message>
<message>
<source>the audio device is gone; choose or connect one and press play again</source>
<translation type="unfinished" />
</message>
<message>
<source>no sound: the package miniaudio cannot be imported ({reason}); install it again</source>
<translation type="unfinished" />
</message>
<message>
<source>this computer offers no MIDI system, so there are no MIDI ports</source>
<translation type="unfinished" />
</message>
<message>
<source>MIDI ports need the package python-rtmidi: install musicrel[midi]</source>
<translation type="unfinished" />
</message>
<message>
<source>the MIDI port {name} does not open ({reason}): choose another, or close the program that uses it</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no MIDI port: connect an instrument or start the program that has one</source>
<translation type="unfinished" />
</message>
<message>
<source>the MIDI port {name} is gone: connect it again or choose another</source>
<translation type="unfinished" />
</message>
<message>
<source>steps {value:g}:{value_2:g} cannot be repeated: expected a start from 0 and a stop at least {min_loop_steps:g} later</source>
<translation type="unfinished" />
</message>
<message>
<source>Played melody</source>
<translation type="unfinished" />
</message>
<message>
<source>Played chords</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no MIDI keyboard: connect one, or start the program that plays</source>
<translation type="unfinished" />
</message>
<message>
<source>key change</source>
<translation type="unfinished" />
</message>
<message>
<source>tempo change</source>
<translation type="unfinished" />
</message>
<message>
<source>All voices</source>
<translation type="unfinished" />
</message>
<message>
<source>Lower voices</source>
<translation type="unfinished" />
</message>
<message>
<source>note</source>
<translation type="unfinished" />
</message>
<message>
<source>notes</source>
<translation type="unfinished" />
</message>
<message>
<source> of the {lower}</source>
<translation type="unfinished" />
</message>
<message>
<source>the pickup and bar 1</source>
<translation type="unfinished" />
</message>
<message>
<source>the pickup to bar {last}</source>
<translation type="unfinished" />
</message>
<message>
<source>bar {first}</source>
<translation type="unfinished" />
</message>
<message>
<source>bars {first}{to}{last}</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} of the {lower} {what}</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} added</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} removed</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} changed</source>
<translation type="unfinished" />
</message>
<message>
<source>no note changed</source>
<translation type="unfinished" />
</message>
<message>
<source>no violation</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} here</source>
<translation type="unfinished" />
</message>
<message>
<source>Candidates with ✕ also break the rule here; they are ranked last.</source>
<translation type="unfinished" />
</message>
<message>
<source>All candidates also break the rule here. “Try again” also writes other voices.</source>
<translation type="unfinished" />
</message>
<message>
<source>0 is the original; candidates are numbered by seed, shown in the tooltip of the row</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal</source>
<translation type="unfinished" />
</message>
<message>
<source>Nats per rewritten note for the passage and all kept notes after it; lower is likelier</source>
<translation type="unfinished" />
</message>
<message>
<source>Rule
violations</source>
<translation type="unfinished" />
</message>
<message>
<source>Violations of the rules of four-part writing in the whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrases
closed</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrase ends of the whole piece with a cadence: authentic, half, plagal or deceptive</source>
<translation type="unfinished" />
</message>
<message>
<source>Grade</source>
<translation type="unfinished" />
</message>
<message>
<source>Distance of the whole piece from Bach on eight distributions; lower is nearer</source>
<translation type="unfinished" />
</message>
<message>
<source>Changed</source>
<translation type="unfinished" />
</message>
<message>
<source>Share of rewritten notes that differ from the original; a candidate without a change is ranked last</source>
<translation type="unfinished" />
</message>
<message>
<source>Copied
from Bach</source>
<translation type="unfinished" />
</message>
<message>
<source>Share of the passage's two-bar segments that occur in the training chorales, in any key</source>
<translation type="unfinished" />
</message>
<message>
<source>Also breaks the rule here</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} not completed: {sentence}</source>
<translation type="unfinished" />
</message>
<message>
<source>candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>candidates</source>
<translation type="unfinished" />
</message>
<message>
<source>Candidate {number}, seed {seed}</source>
<translation type="unfinished" />
</message>
<message>
<source>The original</source>
<translation type="unfinished" />
</message>
<message>
<source>{of}: score {score:.3f} (lower is better)</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal: {region_to_end_nats:.3f} nats/note with the notes after the passage, {region_nats:.3f} in the passage, {nats:.3f} in the whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Grade {grade:.2f}</source>
<translation type="unfinished" />
</message>
<message>
<source>Changed: {changed:.0%} of notes, by {interval:.1f} semitones on average</source>
<translation type="unfinished" />
</message>
<message>
<source>{beats:g} quarters</source>
<translation type="unfinished" />
</message>
<message>
<source>Copied from Bach: {memorised:.0%} of two-bar segments, at most {run} in a row</source>
<translation type="unfinished" />
</message>
<message>
<source>Cadences: {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>Any cadence</source>
<translation type="unfinished" />
</message>
<message>
<source>V to I, in the key that the phrase has reached</source>
<translation type="unfinished" />
</message>
<message>
<source>Ends on V</source>
<translation type="unfinished" />
</message>
<message>
<source>IV to I</source>
<translation type="unfinished" />
</message>
<message>
<source>V to VI</source>
<translation type="unfinished" />
</message>
<message>
<source>As in Bach</source>
<translation type="unfinished" />
</message>
<message>
<source>Drawn from Bach’s chorales: four of five begin on the tonic</source>
<translation type="unfinished" />
</message>
<message>
<source>Tonic</source>
<translation type="unfinished" />
</message>
<message>
<source>The first chord is the tonic triad</source>
<translation type="unfinished" />
</message>
<message>
<source>Dominant</source>
<translation type="unfinished" />
</message>
<message>
<source>The first chord is the dominant</source>
<translation type="unfinished" />
</message>
<message>
<source>Any chord</source>
<translation type="unfinished" />
</message>
<message>
<source>The first chord is the model’s choice</source>
<translation type="unfinished" />
</message>
<message>
<source>Drawn like the bars, if these are: A A B for three pieces of eight</source>
<translation type="unfinished" />
</message>
<message>
<source>The first phrases are repeated, written out</source>
<translation type="unfinished" />
</message>
<message>
<source>Through-composed</source>
<translation type="unfinished" />
</message>
<message>
<source>No phrases are repeated</source>
<translation type="unfinished" />
</message>
<message>
<source>This model is not conditioned on bars: pieces are in 4/4.</source>
<translation type="unfinished" />
</message>
<message>
<source>This model is not conditioned on bars: pieces start on the first beat.</source>
<translation type="unfinished" />
</message>
<message>
<source>This model is not conditioned on a key: it chooses one.</source>
<translation type="unfinished" />
</message>
<message>
<source>This model is not conditioned on fermatas.</source>
<translation type="unfinished" />
</message>
<message>
<source>This model is not conditioned on a key: it begins on any chord.</source>
<translation type="unfinished" />
</message>
<message>
<source>This model is not conditioned on fermatas, whose phrases come twice.</source>
<translation type="unfinished" />
</message>
<message>
<source>The rule needs a key, and this model chooses its own.</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrases of a melody are {phrases!r}: expected whole bars, such as 2,2,4, without fermatas.</source>
<translation type="unfinished" />
</message>
<message>
<source>Melody</source>
<translation type="unfinished" />
</message>
<message>
<source>Voice of the melody, which is transposed into the voice’s range if it lies outside</source>
<translation type="unfinished" />
</message>
<message>
<source>the empty sheet</source>
<translation type="unfinished" />
</message>
<message>
<source>the original</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece as it was</source>
<translation type="unfinished" />
</message>
<message>
<source>Chorale {seed}</source>
<translation type="unfinished" />
</message>
<message>
<source>every note is locked: unlock at least one voice or bar to rewrite</source>
<translation type="unfinished" />
</message>
<message>
<source>everything selected is locked: select other notes, or unlock some (Ctrl+K)</source>
<translation type="unfinished" />
</message>
<message>
<source>All notes around this violation are locked: unlock one of its voices (Ctrl+K) to rewrite it</source>
<translation type="unfinished" />
</message>
<message>
<source>the {title} has no notes: choose another voice or melody</source>
<translation type="unfinished" />
</message>
<message>
<source>The melody lies outside the range of its voice: {sentence}</source>
<translation type="unfinished" />
</message>
<message>
<source>quarter</source>
<translation type="unfinished" />
</message>
<message>
<source>quarters</source>
<translation type="unfinished" />
</message>
<message>
<source>None</source>
<translation type="unfinished" />
</message>
<message>
<source>the model’s own distribution</source>
<translation type="unfinished" />
</message>
<message>
<source>more predictable</source>
<translation type="unfinished" />
</message>
<message>
<source>more varied</source>
<translation type="unfinished" />
</message>
<message>
<source>sixteenth</source>
<translation type="unfinished" />
</message>
<message>
<source>sixteenths</source>
<translation type="unfinished" />
</message>
<message>
<source>{fact} {value} (here {value_2})</source>
<translation type="unfinished" />
</message>
<message>
<source>As the metre suggests</source>
<translation type="unfinished" />
</message>
<message>
<source>On an upbeat in 8.6.8.6, 8.8.8.8 or 7.6.7.6, on the beat in 8.7.8.7 or 7.7.7.7</source>
<translation type="unfinished" />
</message>
<message>
<source>On an upbeat</source>
<translation type="unfinished" />
</message>
<message>
<source>The first syllable is unstressed</source>
<translation type="unfinished" />
</message>
<message>
<source>On the beat</source>
<translation type="unfinished" />
</message>
<message>
<source>The first syllable is stressed</source>
<translation type="unfinished" />
</message>
<message>
<source>the first verse is {metre}, and the metre of {name} is {own}: {expected}</source>
<translation type="unfinished" />
</message>
<message>
<source>expected a tune of the same metre, of the bundled ones {tunes}</source>
<translation type="unfinished" />
</message>
<message>
<source>no bundled tune has this metre</source>
<translation type="unfinished" />
</message>
<message>
<source>verse {verse}, line {line}: {count} for {count_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>syllable</source>
<translation type="unfinished" />
</message>
<message>
<source>syllables</source>
<translation type="unfinished" />
</message>
<message>
<source>there are no words: expected a text, a line for each phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>being computed …</source>
<translation type="unfinished" />
</message>
<message>
<source>matches the card</source>
<translation type="unfinished" />
</message>
<message>
<source>Does not match the card: copy the model again from its source</source>
<translation type="unfinished" />
</message>
<message>
<source>the card has none to compare with</source>
<translation type="unfinished" />
</message>
<message>
<source>the weights cannot be read</source>
<translation type="unfinished" />
</message>
<message>
<source>Imported by you</source>
<translation type="unfinished" />
</message>
<message>
<source>the card of {name} cannot be shown: an entry has the wrong type ({reason}); copy the model again from its source</source>
<translation type="unfinished" />
</message>
<message>
<source>Architecture</source>
<translation type="unfinished" />
</message>
<message>
<source>Training data</source>
<translation type="unfinished" />
</message>
<message>
<source>What it was taught</source>
<translation type="unfinished" />
</message>
<message>
<source>Loss, {unit}</source>
<translation type="unfinished" />
</message>
<message>
<source>Training</source>
<translation type="unfinished" />
</message>
<message>
<source>Limitations</source>
<translation type="unfinished" />
</message>
<message>
<source>Reproduction</source>
<translation type="unfinished" />
</message>
<message>
<source>{layers} layer{s} of width {width}, {heads} head{s_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>- Positions: {positions}; {layers}; {parameters:,} parameters.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Vocabulary {value}; conditioned on {conditions}.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Interval embeddings and interval output head.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Logit biases by rule from {tables} small tables.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Data of the models that it was initialised or distilled from: {before}.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Augmented by transposition within the voices' ranges.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Weights chosen by validation loss; test loss measured once, at the end.</source>
<translation type="unfinished" />
</message>
<message>
<source>- {value:,} pieces, some of them held out, with Bach's chorales besides.</source>
<translation type="unfinished" />
</message>
<message>
<source>held-out pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>Bach's chorales</source>
<translation type="unfinished" />
</message>
<message>
<source>- On held-out pieces {:+.1%} (95 % interval {:+.1%} to {:+.1%}).</source>
<translation type="unfinished" />
</message>
<message>
<source>- Copied eight-beat passages in {value} new pieces: {value_2:.1%}.</source>
<translation type="unfinished" />
</message>
<message>
<source>conditioned on</source>
<translation type="unfinished" />
</message>
<message>
<source>test, by voice</source>
<translation type="unfinished" />
</message>
<message>
<source>{get:,} steps, {get_2:,} tokens, {minutes:.0f} min</source>
<translation type="unfinished" />
</message>
<message>
<source>- {work} on {where}; commit {value}.</source>
<translation type="unfinished" />
</message>
<message>
<source>, which stays frozen; steps, tokens and minutes are those of the added part.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Initialised from the model {init_from} (sha256 {value})</source>
<translation type="unfinished" />
</message>
<message>
<source>, trained further here.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Distilled from {teachers}: {share:.0%} of the loss is their mean prediction.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Logit biases calibrated on the model's own samples; rounds: {rounds}.</source>
<translation type="unfinished" />
</message>
<message>
<source>still falling</source>
<translation type="unfinished" />
</message>
<message>
<source>- Learning curve at the end: {flat} ({slope:+.4f} per million tokens).</source>
<translation type="unfinished" />
</message>
<message>
<source>{trained_length:,} tokens ({value} sixteenths)</source>
<translation type="unfinished" />
</message>
<message>
<source>- Four voices on a sixteenth grid, in the style of {value}.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Trained on windows of at most {window}; longer pieces are extrapolation.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Does not see given notes after the note it generates.</source>
<translation type="unfinished" />
</message>
<message>
<source>- Cannot distinguish a held note from a repeated one.</source>
<translation type="unfinished" />
</message>
<message>
<source>Press Generate for a chorale in four voices, harmonise a melody (Ctrl+H), or write notes (Ctrl+D).</source>
<translation type="unfinished" />
</message>
<message>
<source>Bach</source>
<translation type="unfinished" />
</message>
<message>
<source>Causal</source>
<translation type="unfinished" />
</message>
<message>
<source>Writes</source>
<translation type="unfinished" />
</message>
<message>
<source>Generates notes from left to right, conditioned on those before.</source>
<translation type="unfinished" />
</message>
<message>
<source>Encoder-decoder</source>
<translation type="unfinished" />
</message>
<message>
<source>Rewrites</source>
<translation type="unfinished" />
</message>
<message>
<source>Generates notes from left to right, conditioned on all given notes.</source>
<translation type="unfinished" />
</message>
<message>
<source>Infill</source>
<translation type="unfinished" />
</message>
<message>
<source>Fills in masked notes from both sides.</source>
<translation type="unfinished" />
</message>
<message>
<source>nats/masked note</source>
<translation type="unfinished" />
</message>
<message>
<source>Masked</source>
<translation type="unfinished" />
</message>
<message>
<source>Predicts masked tokens from both sides.</source>
<translation type="unfinished" />
</message>
<message>
<source>nats/masked token</source>
<translation type="unfinished" />
</message>
<message>
<source>Classifier</source>
<translation type="unfinished" />
</message>
<message>
<source>Classifies</source>
<translation type="unfinished" />
</message>
<message>
<source>Classifies sequences.</source>
<translation type="unfinished" />
</message>
<message>
<source>Published</source>
<translation type="unfinished" />
</message>
<message>
<source>An arm of the published comparison.</source>
<translation type="unfinished" />
</message>
<message>
<source>This model generates from left to right. It writes several versions side by side and reads ahead in the notes kept after the passage to choose among them, except at draft quality.</source>
<translation type="unfinished" />
</message>
<message>
<source>This model sees the notes before and after the passage and fits its notes to them; candidates are ranked.</source>
<translation type="unfinished" />
</message>
<message>
<source>Empty sheet</source>
<translation type="unfinished" />
</message>
<message>
<source>No model installed</source>
<translation type="unfinished" />
</message>
<message>
<source>Import one with Compose &gt; Models…, or train one.</source>
<translation type="unfinished" />
</message>
<message>
<source>test run</source>
<translation type="unfinished" />
</message>
<message>
<source>{size} parameters</source>
<translation type="unfinished" />
</message>
<message>
<source>{layers} layers, {heads} heads</source>
<translation type="unfinished" />
</message>
<message>
<source>hidden note</source>
<translation type="unfinished" />
</message>
<message>
<source>{loss:.3f} nats/{note} on {split}</source>
<translation type="unfinished" />
</message>
<message>
<source>no cadence</source>
<translation type="unfinished" />
</message>
<message>
<source>bars {first} to {last}</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrase {value}: {bars}, {cadence}</source>
<translation type="unfinished" />
</message>
<message>
<source>{cadence} cadence ({value})</source>
<translation type="unfinished" />
</message>
<message>
<source>any cadence</source>
<translation type="unfinished" />
</message>
<message>
<source>no cadence found</source>
<translation type="unfinished" />
</message>
<message>
<source>half cadence</source>
<translation type="unfinished" />
</message>
<message>
<source>No phrases</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} of {bars} bars</source>
<translation type="unfinished" />
</message>
<message>
<source>phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>phrases</source>
<translation type="unfinished" />
</message>
<message>
<source>the pickup is {beats:g} beats: expected a whole number of sixteenths, {sixteenth:g} beats each</source>
<translation type="unfinished" />
</message>
<message>
<source>the pickup is {pickup:g} beats: expected less than a bar of {meter}</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose another key first.</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes cannot be transposed to an unknown key.</source>
<translation type="unfinished" />
</message>
<message>
<source>Model</source>
<translation type="unfinished" />
</message>
<message>
<source>The model that wrote the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Number of notes in all four voices</source>
<translation type="unfinished" />
</message>
<message>
<source>{nats_per_note:.3f} nats/note</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal of the piece for the model that wrote it, in nats per note: -ln p of all tokens divided by the number of notes; lower is more predictable</source>
<translation type="unfinished" />
</message>
<message>
<source>Generated in</source>
<translation type="unfinished" />
</message>
<message>
<source>{tokens:,} tokens, {rate}</source>
<translation type="unfinished" />
</message>
<message>
<source>Seed</source>
<translation type="unfinished" />
</message>
<message>
<source>The same seed gives the same notes</source>
<translation type="unfinished" />
</message>
<message>
<source>{value:,.0f} tokens/s</source>
<translation type="unfinished" />
</message>
<message>
<source>English</source>
<translation type="unfinished" />
</message>
<message>
<source>Type or paste a text first</source>
<translation type="unfinished" />
</message>
<message>
<source>Every syllable has a note.</source>
<translation type="unfinished" />
</message>
<message>
<source>{lines} of {count} {verb} not fit. Extra syllables share the last note of their line; where there are too few, some are held longer.</source>
<translation type="unfinished" />
</message>
<message>
<source> The melody has no notes for {lines}: {verb} left out.</source>
<translation type="unfinished" />
</message>
<message>
<source>{syllables} for {notes}</source>
<translation type="unfinished" />
</message>
<message>
<source>{over} too many: the last ones share a note</source>
<translation type="unfinished" />
</message>
<message>
<source>The melody has no notes left for this line, which is left out</source>
<translation type="unfinished" />
</message>
<message>
<source>{under} too few: some are held over a beat</source>
<translation type="unfinished" />
</message>
<message>
<source>; verse {verse}: {metre}</source>
<translation type="unfinished" />
</message>
<message>
<source>The text has {len} verses: expected at most {most}</source>
<translation type="unfinished" />
</message>
<message>
<source>line</source>
<translation type="unfinished" />
</message>
<message>
<source>lines</source>
<translation type="unfinished" />
</message>
<message>
<source>it is</source>
<translation type="unfinished" />
</message>
<message>
<source>they are</source>
<translation type="unfinished" />
</message>
<message>
<source>; {count} differ</source>
<translation type="unfinished" />
</message>
<message>
<source>more verse</source>
<translation type="unfinished" />
</message>
<message>
<source>more verses</source>
<translation type="unfinished" />
</message>
<message>
<source>Ogg Vorbis audio</source>
<translation type="unfinished" />
</message>
<message>
<source>WAV audio</source>
<translation type="unfinished" />
</message>
<message>
<source>MIDI file</source>
<translation type="unfinished" />
</message>
<message>
<source>the {voice} has no notes</source>
<translation type="unfinished" />
</message>
<message>
<source>no voice is left without the {voice}</source>
<translation type="unfinished" />
</message>
<message>
<source>there is nothing to practise: {why}; choose another voice</source>
<translation type="unfinished" />
</message>
<message>
<source>no file “{name}”: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is not exported</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is neither audio nor MIDI: expected a name that ends in {join} or {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>Exported {takes} as {files} to {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>; “{name}” is not among them as {suffix}: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>file</source>
<translation type="unfinished" />
</message>
<message>
<source>files</source>
<translation type="unfinished" />
</message>
<message>
<source>only {len} of {total} were exported: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>take</source>
<translation type="unfinished" />
</message>
<message>
<source>takes</source>
<translation type="unfinished" />
</message>
<message>
<source>Everything is locked</source>
<translation type="unfinished" />
</message>
<message>
<source>part of {listed}</source>
<translation type="unfinished" />
</message>
<message>
<source>Locked: {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>parts of all voices</source>
<translation type="unfinished" />
</message>
<message>
<source>notes at {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>No rule violations</source>
<translation type="unfinished" />
</message>
<message>
<source>Source: {book}</source>
<translation type="unfinished" />
</message>
<message>
<source>violation</source>
<translation type="unfinished" />
</message>
<message>
<source>violations</source>
<translation type="unfinished" />
</message>
<message>
<source>{title}: {count}, {of:.2f} {value}, Bach {of_2:.2f}</source>
<translation type="unfinished" />
</message>
<message>
<source>New: {what}</source>
<translation type="unfinished" />
</message>
<message>
<source>Fixed: {what}</source>
<translation type="unfinished" />
</message>
<message>
<source>{piece}: {own:.2f} nats per note under itself, {other:.2f} under {model}</source>
<translation type="unfinished" />
</message>
<message>
<source>No notes to compare yet</source>
<translation type="unfinished" />
</message>
<message>
<source>All notes agree</source>
<translation type="unfinished" />
</message>
<message>
<source>{percent} of notes agree</source>
<translation type="unfinished" />
</message>
<message>
<source>{count}; first difference {place}</source>
<translation type="unfinished" />
</message>
<message>
<source>rule violation</source>
<translation type="unfinished" />
</message>
<message>
<source>rule violations</source>
<translation type="unfinished" />
</message>
<message>
<source>{len} of {count} closed{ends}</source>
<translation type="unfinished" />
</message>
<message>
<source>A and B are both {first}: choose another model under A/B</source>
<translation type="unfinished" />
</message>
<message>
<source>{second} cannot do the same as {first}, and no model like it is installed</source>
<translation type="unfinished" />
</message>
<message>
<source>Test run</source>
<translation type="unfinished" />
</message>
<message>
<source>Attention memory</source>
<translation type="unfinished" />
</message>
<message>
<source>Quick study</source>
<translation type="unfinished" />
</message>
<message>
<source>Byte sequences</source>
<translation type="unfinished" />
</message>
<message>
<source>Published comparison</source>
<translation type="unfinished" />
</message>
<message>
<source>Window lengths</source>
<translation type="unfinished" />
</message>
<message>
<source>Full study</source>
<translation type="unfinished" />
</message>
<message>
<source>Window lengths (GPU)</source>
<translation type="unfinished" />
</message>
<message>
<source>About 2 min</source>
<translation type="unfinished" />
</message>
<message>
<source>About 5 min, no training</source>
<translation type="unfinished" />
</message>
<message>
<source>About 20 min</source>
<translation type="unfinished" />
</message>
<message>
<source>About 1 h 30 min</source>
<translation type="unfinished" />
</message>
<message>
<source>About 3 h</source>
<translation type="unfinished" />
</message>
<message>
<source>Not timed, needs a GPU</source>
<translation type="unfinished" />
</message>
<message>
<source>Hymns</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla</source>
<translation type="unfinished" />
</message>
<message>
<source>Byte sequences, source data</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, base</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, distilled</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, harmoniser</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, with hymns</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, infilling</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, infilling, base</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, infilling, distilled</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, infilling, with hymns</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, infilling, taught</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, infilling, teacher</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, JSB</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, JSB, base</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, JSB, distilled</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, JSB, distilled twice</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, JSB, narrow</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, JSB, not transposed</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, JSB, wide</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, taught</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative, teacher</source>
<translation type="unfinished" />
</message>
<message>
<source>Tiny</source>
<translation type="unfinished" />
</message>
<message>
<source>Tiny, masked</source>
<translation type="unfinished" />
</message>
<message>
<source>Transformer-XL, infilling, teacher</source>
<translation type="unfinished" />
</message>
<message>
<source>Transformer-XL, JSB, base</source>
<translation type="unfinished" />
</message>
<message>
<source>Transformer-XL, teacher</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, base</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, distilled</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, with hymns</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, infilling</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, infilling, base</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, JSB</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, JSB, base</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, JSB, distilled</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, JSB, distilled twice</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, JSB, narrow</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, JSB, not transposed</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, JSB, wide</source>
<translation type="unfinished" />
</message>
<message>
<source>Vanilla, taught</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative bias (T5)</source>
<translation type="unfinished" />
</message>
<message>
<source>Data-aware rotary (DaRoPE)</source>
<translation type="unfinished" />
</message>
<message>
<source>Function of the distance (FIRE)</source>
<translation type="unfinished" />
</message>
<message>
<source>Forgetting (FoX)</source>
<translation type="unfinished" />
</message>
<message>
<source>High-frequency rotary (HoPE)</source>
<translation type="unfinished" />
</message>
<message>
<source>Logarithmic (KERPLE)</source>
<translation type="unfinished" />
</message>
<message>
<source>Learned</source>
<translation type="unfinished" />
</message>
<message>
<source>Learned, from sinusoids</source>
<translation type="unfinished" />
</message>
<message>
<source>Musical rotary</source>
<translation type="unfinished" />
</message>
<message>
<source>No positions</source>
<translation type="unfinished" />
</message>
<message>
<source>Polar (PoPE)</source>
<translation type="unfinished" />
</message>
<message>
<source>Polar (PoPE), with decay</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative (as published)</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative (corrected)</source>
<translation type="unfinished" />
</message>
<message>
<source>Rotary (RoPE)</source>
<translation type="unfinished" />
</message>
<message>
<source>Rotary (RoPE), with decay</source>
<translation type="unfinished" />
</message>
<message>
<source>Shaw</source>
<translation type="unfinished" />
</message>
<message>
<source>Sinusoidal</source>
<translation type="unfinished" />
</message>
<message>
<source>Sinusoidal (concatenated)</source>
<translation type="unfinished" />
</message>
<message>
<source>Transformer-XL</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative (corrected, 0.02)</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative (skewed)</source>
<translation type="unfinished" />
</message>
<message>
<source>Relative (tiled)</source>
<translation type="unfinished" />
</message>
<message>
<source>Shaw (explicit)</source>
<translation type="unfinished" />
</message>
<message>
<source>\textbackslash{}</source>
<translation type="unfinished" />
</message>
<message>
<source>\textasciitilde{}</source>
<translation type="unfinished" />
</message>
<message>
<source>\textasciicircum{}</source>
<translation type="unfinished" />
</message>
<message>
<source>\begin{table}  % \usepackage{booktabs}</source>
<translation type="unfinished" />
</message>
<message>
<source>\caption{{{translate}}}</source>
<translation type="unfinished" />
</message>
<message>
<source>\label{{tab:{key}}}</source>
<translation type="unfinished" />
</message>
<message>
<source>\begin{{tabular}}{{{sides}}}</source>
<translation type="unfinished" />
</message>
<message>
<source>\end{tabular}</source>
<translation type="unfinished" />
</message>
<message>
<source>\end{table}</source>
<translation type="unfinished" />
</message>
<message>
<source>{heads}: replaced by {replacement} while {model} generates notes. Mute and unmute heads on the Attention page; all are unmuted in another document.</source>
<translation type="unfinished" />
</message>
<message>
<source>their mean output</source>
<translation type="unfinished" />
</message>
<message>
<source> (by zero)</source>
<translation type="unfinished" />
</message>
<message>
<source>Muted in {model}: {named}{by}</source>
<translation type="unfinished" />
</message>
<message>
<source>{codes} muted</source>
<translation type="unfinished" />
</message>
<message>
<source>dotted eighth</source>
<translation type="unfinished" />
</message>
<message>
<source>dotted quarter</source>
<translation type="unfinished" />
</message>
<message>
<source>double-dotted quarter</source>
<translation type="unfinished" />
</message>
<message>
<source>dotted half</source>
<translation type="unfinished" />
</message>
<message>
<source>dotted whole</source>
<translation type="unfinished" />
</message>
<message>
<source>{value}, beat {value_2}{part}</source>
<translation type="unfinished" />
</message>
<message>
<source>Compose</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate and edit chorales</source>
<translation type="unfinished" />
</message>
<message>
<source>Attention</source>
<translation type="unfinished" />
</message>
<message>
<source>Inspect the attention of a model</source>
<translation type="unfinished" />
</message>
<message>
<source>Experiment</source>
<translation type="unfinished" />
</message>
<message>
<source>Train and compare models</source>
<translation type="unfinished" />
</message>
<message>
<source>not installed</source>
<translation type="unfinished" />
</message>
<message>
<source>is not a regular file (it is a link, folder, device or pipe)</source>
<translation type="unfinished" />
</message>
<message>
<source>has {st_size:,} bytes, more than {limit:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot use {path}: {name} beside it {reason}; move it to another folder</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: another program is changing it; try again</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} has {size:,} bytes, but at most {limit:,} are read here</source>
<translation type="unfinished" />
</message>
<message>
<source>another program is using it</source>
<translation type="unfinished" />
</message>
<message>
<source>it is write-protected</source>
<translation type="unfinished" />
</message>
<message>
<source>it is damaged</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not a musicrel project</source>
<translation type="unfinished" />
</message>
<message>
<source>it cannot be opened</source>
<translation type="unfinished" />
</message>
<message>
<source>{doing} {path}: it is damaged{advice}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: {folder} has no room for a copy</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: {describe}; {advice}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: {value} beside it may hold edits of a project that was moved; move {value} to another folder, or choose another name</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} can only be read: it or its folder is write-protected</source>
<translation type="unfinished" />
</message>
<message>
<source>its folder is write-protected</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: there is no such file</source>
<translation type="unfinished" />
</message>
<message>
<source>no regular file</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: it is {kind}, expected a musicrel project</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: it is empty</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} has {st_size:,} bytes, but at most {max_file_bytes:,} are read here</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: you have no permission to read it</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: {in_use}; choose another name</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} would have {value:,} bytes with the log beside it, but at most {max_file_bytes:,} are read here</source>
<translation type="unfinished" />
</message>
<message>
<source>a piece would have {len:,} bytes, more than {max_bytes:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>a piece does not begin with JSON</source>
<translation type="unfinished" />
</message>
<message>
<source>a compressed piece is damaged</source>
<translation type="unfinished" />
</message>
<message>
<source>a compressed piece is cut off, or holds more than {max_bytes:,} bytes</source>
<translation type="unfinished" />
</message>
<message>
<source>a piece of {steps} steps has {size} pitches: expected {count}</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} flags have {len} bytes: expected {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>; save the project under another name</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: it is not a musicrel project</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} can only be read: {describe_refusal}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: {reason}{advice}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: it was moved, deleted or replaced{advice}</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: it is the open project; choose another name</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is closed</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: another program has changed it{advice}</source>
<translation type="unfinished" />
</message>
<message>
<source>its database is damaged ({answer})</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} was written by a newer version: update musicrel to change it</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is damaged and stays as it is: save what is left under another name</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} was opened for reading</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel convert --take</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: its sheet is empty; {known}</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} has no {value}take</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} exists, but cannot be read: choose another name</source>
<translation type="unfinished" />
</message>
<message>
<source> with {count}, which would be lost</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is a project{lost}: choose another name</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} has no take {name!r}: {known}</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} has {len} takes {name!r}: expected a number, as in {option} {number}; theirs are {numbers}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has no takes</source>
<translation type="unfinished" />
</message>
<message>
<source>expected {option} with one of {named}{value}</source>
<translation type="unfinished" />
</message>
<message>
<source>All takes</source>
<translation type="unfinished" />
</message>
<message>
<source>Best rated</source>
<translation type="unfinished" />
</message>
<message>
<source>rated {rating} of {max_rating}</source>
<translation type="unfinished" />
</message>
<message>
<source>not rated</source>
<translation type="unfinished" />
</message>
<message>
<source>current take</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>its first tune has {len:,} characters, but at most {max_tune:,} are read here</source>
<translation type="unfinished" />
</message>
<message>
<source>a group of grace notes has no end: expected } after {</source>
<translation type="unfinished" />
</message>
<message>
<source>parse error: </source>
<translation type="unfinished" />
</message>
<message>
<source>it is not ABC notation, or damaged: {value}</source>
<translation type="unfinished" />
</message>
<message>
<source>other names</source>
<translation type="unfinished" />
</message>
<message>
<source>a note or rest has the length {value}: expected at most four digits</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: the package soundfile cannot be loaded ({reason}); install it again, or choose a name that ends in .wav</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece lasts {value:,.0f} minutes: a WAV file holds at most {value_2:,.0f}; choose a faster tempo or export a part of it</source>
<translation type="unfinished" />
</message>
<message>
<source>the level of the metronome is {level}: expected 0 to {loudest:g}</source>
<translation type="unfinished" />
</message>
<message>
<source>count-in is {count_in!r}: expected {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>volume is {volume}: expected 0 to {loudest:g}</source>
<translation type="unfinished" />
</message>
<message>
<source>pan is {pan}: expected -1 (left) to 1 (right)</source>
<translation type="unfinished" />
</message>
<message>
<source>there are {len} strips: expected one for each voice, S A T B</source>
<translation type="unfinished" />
</message>
<message>
<source>reverb is {reverb}: expected 0 to 1</source>
<translation type="unfinished" />
</message>
<message>
<source>Piano, strings, oboe and brass need FluidSynth, which is not installed: run pip install "musicrel[soundfont]", and sudo apt install libfluidsynth3 (Debian, Ubuntu), brew install fluid-synth (macOS) or choco install fluidsynth (Windows)</source>
<translation type="unfinished" />
</message>
<message>
<source>the SoundFont {path} is damaged: choose another .sf2 file</source>
<translation type="unfinished" />
</message>
<message>
<source>the SoundFont {path} has no {lower} (program {value}): choose another .sf2 file or another instrument</source>
<translation type="unfinished" />
</message>
<message>
<source>{reason}; choose another .sf2 file</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is not a SoundFont: choose an .sf2 file</source>
<translation type="unfinished" />
</message>
<message>
<source>the SoundFont {path} is truncated: choose another .sf2 file</source>
<translation type="unfinished" />
</message>
<message>
<source>the clipboard holds no notes of a piece: copy some first</source>
<translation type="unfinished" />
</message>
<message>
<source>the copied notes of {count} voices do not fit below the {voice}: paste at a higher voice</source>
<translation type="unfinished" />
</message>
<message>
<source>the clipboard</source>
<translation type="unfinished" />
</message>
<message>
<source>a note would be lower than C-1 or higher than G9, which no format can hold: move it less far</source>
<translation type="unfinished" />
</message>
<message>
<source>a note would be shorter than a sixteenth, the shortest there is: keep it longer</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece would be longer than {max_steps:,} sixteenths, the limit: remove bars first</source>
<translation type="unfinished" />
</message>
<message>
<source>a note would begin before the piece does: move it less far to the left</source>
<translation type="unfinished" />
</message>
<message>
<source>the note is no longer in the piece: select it again</source>
<translation type="unfinished" />
</message>
<message>
<source>a sixteenth is the shortest note and cannot be split: select a longer note</source>
<translation type="unfinished" />
</message>
<message>
<source>notes of several voices are selected, and a voice has one note at a time: select the notes of one voice, then move them</source>
<translation type="unfinished" />
</message>
<message>
<source>no selected note goes on across this place: put the cursor inside a note</source>
<translation type="unfinished" />
</message>
<message>
<source>only one note of the voice is selected: select two or more to join them</source>
<translation type="unfinished" />
</message>
<message>
<source>a sixteenth is the shortest note and cannot be dotted: choose a longer one first</source>
<translation type="unfinished" />
</message>
<message>
<source>no note ends at the cursor: write one first, then tie it to another</source>
<translation type="unfinished" />
</message>
<message>
<source>the other piece has no bar there: expected the same meter and pickup, and at least {steps} sixteenths</source>
<translation type="unfinished" />
</message>
<message>
<source>the pickup is {pickup} sixteenths: expected less than a bar of {meter}, 0 to {most}</source>
<translation type="unfinished" />
</message>
<message>
<source>the tempo is {tempo:g}: expected 5 to 600 quarter notes a minute</source>
<translation type="unfinished" />
</message>
<message>
<source>a piece in {old} cannot be transposed to {new}: choose a {mode} key, or set the key without transposing</source>
<translation type="unfinished" />
</message>
<message>
<source>a slur needs two notes of a voice: select them first</source>
<translation type="unfinished" />
</message>
<message>
<source>no note is selected: select the note that the fermata stands on</source>
<translation type="unfinished" />
</message>
<message>
<source>all bars would be removed: keep at least one</source>
<translation type="unfinished" />
</message>
<message>
<source>selected voices are {voices}: expected at least one of 0 to 3, in order</source>
<translation type="unfinished" />
</message>
<message>
<source>selected steps are {start} to {stop}: expected at least one, from 0</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: expected a name that ends in {one_of}</source>
<translation type="unfinished" />
</message>
<message>
<source>notes off the sixteenth-note grid (triplets?) were quantised in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>notes too short for the sixteenth-note grid were left out in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>notes of zero length were left out in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>notes without a note-off, which start in {bars}, were ended at the next note or at the end of their track</source>
<translation type="unfinished" />
</message>
<message>
<source>grace notes were left out in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>cue notes were left out in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>notes without a pitch were left out in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>notes whose pitch cannot be read were left out in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>a key, meter or transposition that cannot be used was ignored in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>quarter tones were rounded to semitones in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>repeats were written out, from {bars} on</source>
<translation type="unfinished" />
</message>
<message>
<source>jumps such as da capo in {bars} were ignored, the bars were read in printed order</source>
<translation type="unfinished" />
</message>
<message>
<source>chords within one voice were reduced to the outer note in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>overlapping notes were shortened in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>more than four notes sound together, inner notes were left out in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>the voice assignment is uncertain in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>a single note on a staff was given to both of its voices in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>nothing begins or ends for hundreds of quarters after {bars}, the file was read up to there (to read on, set MUSICREL_MAX_GAP to a number of quarters above 256)</source>
<translation type="unfinished" />
</message>
<message>
<source>the notes on channel 10, which start in {bars}, were taken as drums and left out</source>
<translation type="unfinished" />
</message>
<message>
<source>it is cut off: a track is missing</source>
<translation type="unfinished" />
</message>
<message>
<source>its header gives the wrong number of tracks, all tracks in the file were read</source>
<translation type="unfinished" />
</message>
<message>
<source>only the first of its tunes was read</source>
<translation type="unfinished" />
</message>
<message>
<source>a track has the wrong length in its header and was read to its end</source>
<translation type="unfinished" />
</message>
<message>
<source>a track is damaged or cut off and was read up to {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>damaged events were ignored in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>tempos outside 5 to 600 quarters a minute were ignored in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>its times are in seconds, not in beats: tempo and note values were estimated</source>
<translation type="unfinished" />
</message>
<message>
<source>notes outside the range of the voice were transposed by octaves in {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>chord symbols</source>
<translation type="unfinished" />
</message>
<message>
<source>figured bass</source>
<translation type="unfinished" />
</message>
<message>
<source>pedal marks</source>
<translation type="unfinished" />
</message>
<message>
<source>playing techniques</source>
<translation type="unfinished" />
</message>
<message>
<source>movement title</source>
<translation type="unfinished" />
</message>
<message>
<source>movement number</source>
<translation type="unfinished" />
</message>
<message>
<source>work number</source>
<translation type="unfinished" />
</message>
<message>
<source>{listed} {verb} left out</source>
<translation type="unfinished" />
</message>
<message>
<source>{left} more places</source>
<translation type="unfinished" />
</message>
<message>
<source>too long for a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>the mode {mode} of its key was read as {key}</source>
<translation type="unfinished" />
</message>
<message>
<source>{silence} of silence before the first note {verb} removed</source>
<translation type="unfinished" />
</message>
<message>
<source>it is {steps:,} sixteenths long, {too_long}: the first {length:,} were kept</source>
<translation type="unfinished" />
</message>
<message>
<source>meter changes ({listed}) were dropped: {meter} throughout</source>
<translation type="unfinished" />
</message>
<message>
<source>{bars} {verb} not match the bar lines of {meter}</source>
<translation type="unfinished" />
</message>
<message>
<source>key changes within {bars} were moved to the nearest bar line</source>
<translation type="unfinished" />
</message>
<message>
<source>tempo changes in {bars} were dropped: {tempo:.3g} throughout</source>
<translation type="unfinished" />
</message>
<message>
<source>a ritardando in {bars} names no tempo: it was set to fall to {slower:g} percent</source>
<translation type="unfinished" />
</message>
<message>
<source>it has no notes within the longest piece: expected a melody</source>
<translation type="unfinished" />
</message>
<message>
<source>it was transposed {value} by {far} into the range of the {lower}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has no notes: expected a melody</source>
<translation type="unfinished" />
</message>
<message>
<source>the one on {place}</source>
<translation type="unfinished" />
</message>
<message>
<source>of its {len} lines with notes {name} was taken as the melody</source>
<translation type="unfinished" />
</message>
<message>
<source>voices were assigned by pitch and motion</source>
<translation type="unfinished" />
</message>
<message>
<source>named after</source>
<translation type="unfinished" />
</message>
<message>
<source>taken as the</source>
<translation type="unfinished" />
</message>
<message>
<source>only the {parts} {which} voices {value} kept</source>
<translation type="unfinished" />
</message>
<message>
<source>{listed} {were} left out: {were_kept}</source>
<translation type="unfinished" />
</message>
<message>
<source>{listed} were combined into the {lower}</source>
<translation type="unfinished" />
</message>
<message>
<source>one voice</source>
<translation type="unfinished" />
</message>
<message>
<source>it has only {count}, taken as the {listed}</source>
<translation type="unfinished" />
</message>
<message>
<source>{listed} {were} taken as the {listed_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>the line on {place}</source>
<translation type="unfinished" />
</message>
<message>
<source>s so sp sop sopr soprano sopranos soprani soprane sopran sopranen sopraan sopraani
        sopraano szoprán treble trebles tiple tiples canto cantus discant discanto discantus diskant
        superius dessus сопрано дискант σοπράνο υψίφωνος 女高音 ソプラノ 소프라노</source>
<translation type="unfinished" />
</message>
<message>
<source>m mez mezz mezzo mezzi mezzosoprano mezzosopran mezzosopraan меццосопрано 女中音</source>
<translation type="unfinished" />
</message>
<message>
<source>a al alt alto altos alti alte alter altus altti altto contralto contraltos contralti
        kontraalt ct contratenor countertenor contratenore kontratenor hautecontre medius mean
        альт контральто άλτο κοντράλτο 女低音 アルト 알토</source>
<translation type="unfinished" />
</message>
<message>
<source>t te ten tenor tenors tenore tenores tenori tenoren tenoor tenoori tenorit teneur taille
        тенор τενόρος τενόρο 男高音 テノール テナー 테너</source>
<translation type="unfinished" />
</message>
<message>
<source>bar bari barit baritone baritones baritono baritoni bariton baritons baritonen baryton
        barytone barytoni bassbaritone bassbariton bassetaille баритон βαρύτονος 男中音 バリトン</source>
<translation type="unfinished" />
</message>
<message>
<source>b ba bs bas bass basses basse basso bassos bassi bassus basszus bajo bajos baix baixo
        baixos basy bassecontre бас басы μπάσος μπάσο 男低音 バス ベース 베이스</source>
<translation type="unfinished" />
</message>
<message>
<source>sound is {text!r}: expected {join}, or four of them for S, A, T, B as in organ,strings,oboe,brass</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot be written as JSON: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>its provenance</source>
<translation type="unfinished" />
</message>
<message>
<source>the chorale</source>
<translation type="unfinished" />
</message>
<message>
<source>a text holds {value!r}, which UTF-8 cannot represent: change the title, a name or the words</source>
<translation type="unfinished" />
</message>
<message>
<source>the file would have {len:,} bytes, more than {max_bytes:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not a musicrel chorale: its format is {found!r}, expected {format!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has version {version} and this musicrel reads up to {version_2}: update musicrel</source>
<translation type="unfinished" />
</message>
<message>
<source>it has {len:,} bytes, but at most {max_bytes:,} are read here</source>
<translation type="unfinished" />
</message>
<message>
<source>it is a MIDI file of format {kind}: expected 0 or 1</source>
<translation type="unfinished" />
</message>
<message>
<source>it is truncated: it has no tracks, expected {expected}</source>
<translation type="unfinished" />
</message>
<message>
<source>it is empty</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not a MIDI file: it has no MThd header</source>
<translation type="unfinished" />
</message>
<message>
<source>it is damaged: a quarter note or a frame has 0 ticks</source>
<translation type="unfinished" />
</message>
<message>
<source>it is truncated: a track has no end</source>
<translation type="unfinished" />
</message>
<message>
<source>it has more than {max_events:,} events, too many to be a chorale</source>
<translation type="unfinished" />
</message>
<message>
<source>it has more than {max_tracks} tracks, too many to be a chorale</source>
<translation type="unfinished" />
</message>
<message>
<source>it is longer than {max_tick:,} ticks, too long to be a chorale</source>
<translation type="unfinished" />
</message>
<message>
<source>it is truncated: a track ends within an event</source>
<translation type="unfinished" />
</message>
<message>
<source>it is damaged: data without a status byte at tick {tick}</source>
<translation type="unfinished" />
</message>
<message>
<source>it is damaged: a number is longer than four bytes</source>
<translation type="unfinished" />
</message>
<message>
<source>fermata end</source>
<translation type="unfinished" />
</message>
<message>
<source>the provenance has {len:,} bytes, more than {max_bytes:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>the marks</source>
<translation type="unfinished" />
</message>
<message>
<source>{variable} is {text!r}: expected a number of quarters such as {max_gap}</source>
<translation type="unfinished" />
</message>
<message>
<source>the voice is {kind!r}: expected {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>the level of the others is {others}: expected 0 to 1</source>
<translation type="unfinished" />
</message>
<message>
<source>the {name} {object!r} cannot be encoded as UTF-8: change it</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot convert the PrettyMIDI object: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>its divisions are finer than any score needs</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not a MusicXML score: its root element is {value!r}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has {len:,} parts and up to {longest:,} measures: expected at most {max_parts:,} and {max_measures:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>it is a score without measures</source>
<translation type="unfinished" />
</message>
<message>
<source>it has {len:,} parts in {len_2:,} measures, too many for a chorale</source>
<translation type="unfinished" />
</message>
<message>
<source>Roman numerals</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel-slowing {value} {number:.10g}</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel-fermata {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has {len:,} bytes, but at most {max_archive_bytes:,} are read here</source>
<translation type="unfinished" />
</message>
<message>
<source>it holds more than {max_entries:,} files, too many for a score</source>
<translation type="unfinished" />
</message>
<message>
<source>it is an archive without a score: expected a .musicxml file in it</source>
<translation type="unfinished" />
</message>
<message>
<source>its entry of {compress_size:,} bytes decompresses to {file_size:,}, too many for a score</source>
<translation type="unfinished" />
</message>
<message>
<source>it is a damaged archive: the size of an entry is not the declared one</source>
<translation type="unfinished" />
</message>
<message>
<source>it is damaged or not XML: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>it is damaged or not XML: unknown encoding {name!r}; save it as UTF-8</source>
<translation type="unfinished" />
</message>
<message>
<source>it has more than {max_elements:,} elements, too many for a chorale</source>
<translation type="unfinished" />
</message>
<message>
<source>its elements are nested more than {max_depth} levels deep, too deep for a score</source>
<translation type="unfinished" />
</message>
<message>
<source>it contains a document type with declarations (DTD) that are more than short texts, which is refused for safety</source>
<translation type="unfinished" />
</message>
<message>
<source>it uses entities of a document type that is not read, for safety</source>
<translation type="unfinished" />
</message>
<message>
<source>backward hook</source>
<translation type="unfinished" />
</message>
<message>
<source>forward hook</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece has {steps} sixteenths: expected 1 to {max_steps}</source>
<translation type="unfinished" />
</message>
<message>
<source>a fermata covers steps {start}:{stop}: expected a range within 0:{steps}</source>
<translation type="unfinished" />
</message>
<message>
<source>{where}: a note of {length} steps lies outside the piece of {steps} steps</source>
<translation type="unfinished" />
</message>
<message>
<source>{where}: the note overlaps the one before: expected one note at a time in a voice</source>
<translation type="unfinished" />
</message>
<message>
<source>{where}: pitch {pitch} is not a MIDI number: expected 0 to 127</source>
<translation type="unfinished" />
</message>
<message>
<source>tempo factor</source>
<translation type="unfinished" />
</message>
<message>
<source>fermata stretch</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is {value}: expected {low:g} to {high:g}</source>
<translation type="unfinished" />
</message>
<message>
<source>its verses are {known}</source>
<translation type="unfinished" />
</message>
<message>
<source>it has no words</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece has no verse {verse}: {has}</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece would have {now:,} sixteenths with its verses one after the other: expected at most {max_steps:,}; leave out some verses</source>
<translation type="unfinished" />
</message>
<message>
<source>expected one as in 8.7.8.7, 8.7.8.7 D, C.M. or L.M.</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown metre {value!r}: {form}</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown metre {value!r}: expected 1 to {max_lines} lines of 1 to {max_syllables} syllables</source>
<translation type="unfinished" />
</message>
<message>
<source>unknown language {language!r}: expected one of {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>the meter of a hymn is {meter}: expected {join}</source>
<translation type="unfinished" />
</message>
<message>
<source>the first verse has {count} of up to {max} syllables: expected at most {max_lines} lines of at most {max_syllables} syllables; leave an empty line between verses</source>
<translation type="unfinished" />
</message>
<message>
<source>the first verse has {count}: expected {len}, those of {metre}</source>
<translation type="unfinished" />
</message>
<message>
<source>line {number} has {count} for {expected}</source>
<translation type="unfinished" />
</message>
<message>
<source>the first verse does not fit {metre}: {listed}; divide words with hyphens, join two with ~, or choose another metre</source>
<translation type="unfinished" />
</message>
<message>
<source>Searching</source>
<translation type="unfinished" />
</message>
<message>
<source>partly locked</source>
<translation type="unfinished" />
</message>
<message>
<source>Press</source>
<translation type="unfinished" />
</message>
<message>
<source>Move to the &amp;{voice}</source>
<translation type="unfinished" />
</message>
<message>
<source>By &amp;{bars} bars</source>
<translation type="unfinished" />
</message>
<message>
<source>Of &amp;{bars} bars</source>
<translation type="unfinished" />
</message>
<message>
<source>Compare &amp;with</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;More</source>
<translation type="unfinished" />
</message>
<message>
<source>Rewrite the notes around this violation as several candidates that keep the rule; locked notes and, where possible, the melody are kept (Ctrl+Shift+F8)</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Undo</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Redo</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Generate</source>
<translation type="unfinished" />
</message>
<message>
<source>S&amp;top</source>
<translation type="unfinished" />
</message>
<message>
<source>New &amp;random seed</source>
<translation type="unfinished" />
</message>
<message>
<source>Zoom &amp;in</source>
<translation type="unfinished" />
</message>
<message>
<source>Zoom &amp;out</source>
<translation type="unfinished" />
</message>
<message>
<source>Fit &amp;whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Zoom in &amp;vertically</source>
<translation type="unfinished" />
</message>
<message>
<source>Zoom out verticall&amp;y</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Engraved score</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Four staves</source>
<translation type="unfinished" />
</message>
<message>
<source>Roman &amp;numerals</source>
<translation type="unfinished" />
</message>
<message>
<source>Figured &amp;bass</source>
<translation type="unfinished" />
</message>
<message>
<source>Write the intervals above the bass below it, also in files</source>
<translation type="unfinished" />
</message>
<message>
<source>Form, sheet or ta&amp;kes</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;About musicrel</source>
<translation type="unfinished" />
</message>
<message>
<source>About the &amp;model…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;New</source>
<translation type="unfinished" />
</message>
<message>
<source>New &amp;window</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Open…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Save</source>
<translation type="unfinished" />
</message>
<message>
<source>Save &amp;as…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Export…</source>
<translation type="unfinished" />
</message>
<message>
<source>Export the selected &amp;bars…</source>
<translation type="unfinished" />
</message>
<message>
<source>Export the bars that the selection touches, its voices</source>
<translation type="unfinished" />
</message>
<message>
<source>Export practice &amp;files…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Print…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Close</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Quit</source>
<translation type="unfinished" />
</message>
<message>
<source>Cu&amp;t</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Copy</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Paste</source>
<translation type="unfinished" />
</message>
<message>
<source>Paste at the selection or the playhead, into the selected voice</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Duplicate</source>
<translation type="unfinished" />
</message>
<message>
<source>Repeat the selected notes right after them</source>
<translation type="unfinished" />
</message>
<message>
<source>De&amp;lete</source>
<translation type="unfinished" />
</message>
<message>
<source>Select &amp;all</source>
<translation type="unfinished" />
</message>
<message>
<source>Select the &amp;bar</source>
<translation type="unfinished" />
</message>
<message>
<source>Select all voices of the bars that the selection touches</source>
<translation type="unfinished" />
</message>
<message>
<source>Select the &amp;voice</source>
<translation type="unfinished" />
</message>
<message>
<source>Select the selected voices from beginning to end</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Up by a semitone</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Down by a semitone</source>
<translation type="unfinished" />
</message>
<message>
<source>Up by a &amp;scale step</source>
<translation type="unfinished" />
</message>
<message>
<source>Move to the next higher note of the key</source>
<translation type="unfinished" />
</message>
<message>
<source>Down by a s&amp;cale step</source>
<translation type="unfinished" />
</message>
<message>
<source>Move to the next lower note of the key</source>
<translation type="unfinished" />
</message>
<message>
<source>Up by an &amp;octave</source>
<translation type="unfinished" />
</message>
<message>
<source>Down by an oc&amp;tave</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Earlier by a sixteenth</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Later by a sixteenth</source>
<translation type="unfinished" />
</message>
<message>
<source>Lon&amp;ger by a sixteenth</source>
<translation type="unfinished" />
</message>
<message>
<source>S&amp;horter by a sixteenth</source>
<translation type="unfinished" />
</message>
<message>
<source>Spl&amp;it</source>
<translation type="unfinished" />
</message>
<message>
<source>Split the selected notes at the playhead, or in the middle</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Join</source>
<translation type="unfinished" />
</message>
<message>
<source>Make one note of the selected notes of each voice</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Fermata</source>
<translation type="unfinished" />
</message>
<message>
<source>Put a fermata on the last selected note, or remove it</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Key, tempo and dynamic here…</source>
<translation type="unfinished" />
</message>
<message>
<source>Change key, tempo or dynamic from the selection on, or slow down within it</source>
<translation type="unfinished" />
</message>
<message>
<source>S&amp;lur</source>
<translation type="unfinished" />
</message>
<message>
<source>Slur the selected notes of each voice, or remove their slurs</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Add a bar at the end</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Insert a bar here</source>
<translation type="unfinished" />
</message>
<message>
<source>Ins</source>
<translation type="unfinished" />
</message>
<message>
<source>Insert an empty bar before the selection or the playhead</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Remove the bar</source>
<translation type="unfinished" />
</message>
<message>
<source>Remove the bars that the selection touches, with their notes</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Words…</source>
<translation type="unfinished" />
</message>
<message>
<source>Set a text under the melody, or remove the words</source>
<translation type="unfinished" />
</message>
<message>
<source>Write out the &amp;verses</source>
<translation type="unfinished" />
</message>
<message>
<source>Write all verses one after the other, each with its words</source>
<translation type="unfinished" />
</message>
<message>
<source>Words un&amp;der notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Type words under the notes, from the selected one on</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Transpose…</source>
<translation type="unfinished" />
</message>
<message>
<source>Move all notes by an interval, or to fit the ranges of the voices; the key moves too</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Properties…</source>
<translation type="unfinished" />
</message>
<message>
<source>Change title, names, key, meter, pickup and tempo</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Play edited notes</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Play</source>
<translation type="unfinished" />
</message>
<message>
<source>Play from the playhead</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Stop</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop and return to the start</source>
<translation type="unfinished" />
</message>
<message>
<source>To the &amp;beginning</source>
<translation type="unfinished" />
</message>
<message>
<source>One beat b&amp;ack</source>
<translation type="unfinished" />
</message>
<message>
<source>One beat for&amp;ward</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Loop</source>
<translation type="unfinished" />
</message>
<message>
<source>Loop the s&amp;election</source>
<translation type="unfinished" />
</message>
<message>
<source>Loop fro&amp;m the playhead</source>
<translation type="unfinished" />
</message>
<message>
<source>Loop &amp;up to the playhead</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Follow playhead</source>
<translation type="unfinished" />
</message>
<message>
<source>Scroll with the playhead</source>
<translation type="unfinished" />
</message>
<message>
<source>Hold fe&amp;rmatas</source>
<translation type="unfinished" />
</message>
<message>
<source>Hold notes under a fermata longer</source>
<translation type="unfinished" />
</message>
<message>
<source>Hol&amp;d fermatas in MIDI files</source>
<translation type="unfinished" />
</message>
<message>
<source>Slow the tempo down under fermatas in exported MIDI files</source>
<translation type="unfinished" />
</message>
<message>
<source>Chord na&amp;mes in MIDI files</source>
<translation type="unfinished" />
</message>
<message>
<source>Write chords and phrases as markers, which a DAW shows above its tracks</source>
<translation type="unfinished" />
</message>
<message>
<source>Metr&amp;onome</source>
<translation type="unfinished" />
</message>
<message>
<source>Click on the beats</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Count-in</source>
<translation type="unfinished" />
</message>
<message>
<source>Play a bar of clicks before playback; choose when in the mixer</source>
<translation type="unfinished" />
</message>
<message>
<source>Mi&amp;xer</source>
<translation type="unfinished" />
</message>
<message>
<source>Show the mixer</source>
<translation type="unfinished" />
</message>
<message>
<source>Pa&amp;nic (all notes off)</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Takes</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Use the take</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Play the take</source>
<translation type="unfinished" />
</message>
<message>
<source>Play the &amp;change in a loop</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Stop playing the take</source>
<translation type="unfinished" />
</message>
<message>
<source>Re&amp;name…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Delete</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Export takes…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Lock the selection</source>
<translation type="unfinished" />
</message>
<message>
<source>Lock the &amp;first chord</source>
<translation type="unfinished" />
</message>
<message>
<source>Lock the las&amp;t chord</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Unlock everything</source>
<translation type="unfinished" />
</message>
<message>
<source>Re&amp;write the selection</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Harmonise a melody…</source>
<translation type="unfinished" />
</message>
<message>
<source>H&amp;ymn from words…</source>
<translation type="unfinished" />
</message>
<message>
<source>Note &amp;input</source>
<translation type="unfinished" />
</message>
<message>
<source>Note input: type A to G, or click on the roll (Ctrl+D, or N)</source>
<translation type="unfinished" />
</message>
<message>
<source>Record a &amp;melody…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Next candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Previous candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Accept the candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Back to the original</source>
<translation type="unfinished" />
</message>
<message>
<source>Play the &amp;passage of the candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>Play the passage of the candidate in a loop, with the bar before it</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Mark rule violations</source>
<translation type="unfinished" />
</message>
<message>
<source>List of rule &amp;violations</source>
<translation type="unfinished" />
</message>
<message>
<source>List the rule violations with their sources (Ctrl+F8)</source>
<translation type="unfinished" />
</message>
<message>
<source>Next violatio&amp;n</source>
<translation type="unfinished" />
</message>
<message>
<source>Select the notes of the next rule violation (F8)</source>
<translation type="unfinished" />
</message>
<message>
<source>Previous violati&amp;on</source>
<translation type="unfinished" />
</message>
<message>
<source>Select the notes of the previous rule violation (Shift+F8)</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Write candidates without this</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Models…</source>
<translation type="unfinished" />
</message>
<message>
<source>Pre&amp;ferences…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Keyboard shortcuts</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;First steps on the empty sheet</source>
<translation type="unfinished" />
</message>
<message>
<source>Guides in the &amp;browser</source>
<translation type="unfinished" />
</message>
<message>
<source>Open the folder with the &amp;log</source>
<translation type="unfinished" />
</message>
<message>
<source>Listen to &amp;A</source>
<translation type="unfinished" />
</message>
<message>
<source>Play the piece of A</source>
<translation type="unfinished" />
</message>
<message>
<source>Listen to &amp;B</source>
<translation type="unfinished" />
</message>
<message>
<source>Play the piece of B</source>
<translation type="unfinished" />
</message>
<message>
<source>Take this ba&amp;r from B</source>
<translation type="unfinished" />
</message>
<message>
<source>Take the bar at the playhead</source>
<translation type="unfinished" />
</message>
<message>
<source>Take the &amp;whole piece of B</source>
<translation type="unfinished" />
</message>
<message>
<source>Make the piece of B the current one</source>
<translation type="unfinished" />
</message>
<message>
<source>To the &amp;first difference</source>
<translation type="unfinished" />
</message>
<message>
<source>Move the playhead to the first difference</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Export the piece of B…</source>
<translation type="unfinished" />
</message>
<message>
<source>Export as MIDI, score, audio or image</source>
<translation type="unfinished" />
</message>
<message>
<source>Export the &amp;differences…</source>
<translation type="unfinished" />
</message>
<message>
<source>Export the differing notes as SVG, PNG or CSV</source>
<translation type="unfinished" />
</message>
<message>
<source>Save &amp;both scores as PDF…</source>
<translation type="unfinished" />
</message>
<message>
<source>Both scores on one page, each under its model</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;End the comparison</source>
<translation type="unfinished" />
</message>
<message>
<source>Compare with no other model</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Nothing is selected: click a note, drag over some, or use the arrow keys</source>
<translation type="unfinished" />
</message>
<message>
<source>Alt+Up and Alt+Down now select a candidate: accept one or go back first</source>
<translation type="unfinished" />
</message>
<message>
<source>There are no candidates: rewrite something, or generate several, first</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to play yet: generate or open a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to rewrite yet: generate or open a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>No model is installed</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to lock yet: generate or open a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Nothing is locked</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to export yet: generate or open a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to print yet: generate or open a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to save yet: generate or open a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>There is a piece on the sheet: File &gt; New starts with an empty one</source>
<translation type="unfinished" />
</message>
<message>
<source>Nothing is being generated</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;File</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Edit</source>
<translation type="unfinished" />
</message>
<message>
<source>P&amp;iece</source>
<translation type="unfinished" />
</message>
<message>
<source>Lock &amp;voices</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Compose</source>
<translation type="unfinished" />
</message>
<message>
<source>Form for a l&amp;oop</source>
<translation type="unfinished" />
</message>
<message>
<source>Con&amp;tinue the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>T&amp;wo models</source>
<translation type="unfinished" />
</message>
<message>
<source>De&amp;vice</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;View</source>
<translation type="unfinished" />
</message>
<message>
<source>Colour &amp;notes by</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Theme</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Help</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Voice</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Surprisal</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Automatic</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Processor (CPU)</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;NVIDIA GPU (CUDA)</source>
<translation type="unfinished" />
</message>
<message>
<source>A&amp;pple GPU (Metal)</source>
<translation type="unfinished" />
</message>
<message>
<source>No star</source>
<translation type="unfinished" />
</message>
<message>
<source>One star</source>
<translation type="unfinished" />
</message>
<message>
<source>Two stars</source>
<translation type="unfinished" />
</message>
<message>
<source>Three stars</source>
<translation type="unfinished" />
</message>
<message>
<source>Open &amp;recent</source>
<translation type="unfinished" />
</message>
<message>
<source>M&amp;IDI output</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Guides</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;No other model</source>
<translation type="unfinished" />
</message>
<message>
<source>Compare with a second model, B, which gets the same requests: seed, form, locks and rules; its roll is below the roll of A</source>
<translation type="unfinished" />
</message>
<message>
<source>{model} is model A, the one chosen in the form: choose another one as B</source>
<translation type="unfinished" />
</message>
<message>
<source>lost key</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel: cannot open a window: {reason}; musicrel --help lists what works without one</source>
<translation type="unfinished" />
</message>
<message>
<source>An internal error occurred; see {path} for the details.</source>
<translation type="unfinished" />
</message>
<message>
<source>Point at the map, or select a note in the roll by mouse or arrow keys.</source>
<translation type="unfinished" />
</message>
<message>
<source>Test the model: order, padding, heads, scale, length, cache</source>
<translation type="unfinished" />
</message>
<message>
<source>A second model, B, that reads the same piece; both are compared in all views</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Maps</source>
<translation type="unfinished" />
</message>
<message>
<source>The heads and the attention map of the chosen one</source>
<translation type="unfinished" />
</message>
<message>
<source>All heads</source>
<translation type="unfinished" />
</message>
<message>
<source>Export this view…</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to export in this view yet</source>
<translation type="unfinished" />
</message>
<message>
<source> (largest weight)</source>
<translation type="unfinished" />
</message>
<message>
<source>Reset &amp;zoom</source>
<translation type="unfinished" />
</message>
<message>
<source>Show the whole map again (0)</source>
<translation type="unfinished" />
</message>
<message>
<source>Show the attention to the given notes instead of that to the written ones</source>
<translation type="unfinished" />
</message>
<message>
<source>Model A</source>
<translation type="unfinished" />
</message>
<message>
<source>Model B</source>
<translation type="unfinished" />
</message>
<message>
<source>generated this piece</source>
<translation type="unfinished" />
</message>
<message>
<source>did not generate this piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Save this view as a picture (PNG, SVG) or its numbers (CSV)</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Note</source>
<translation type="unfinished" />
</message>
<message>
<source>Attention of the chosen note over time; of A and B on the same scale</source>
<translation type="unfinished" />
</message>
<message>
<source>Shares</source>
<translation type="unfinished" />
</message>
<message>
<source>Attention by distance and voice, and the difference of A and B</source>
<translation type="unfinished" />
</message>
<message>
<source>S&amp;urprisal</source>
<translation type="unfinished" />
</message>
<message>
<source>Which notes surprise A more, and which B; their running sum</source>
<translation type="unfinished" />
</message>
<message>
<source>Claims</source>
<translation type="unfinished" />
</message>
<message>
<source>What was claimed about relative attention in 2018, measured here</source>
<translation type="unfinished" />
</message>
<message>
<source>Places</source>
<translation type="unfinished" />
</message>
<message>
<source>Where the heads of a DaRoPE model put the notes, and where these are</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a note in the roll to see what it attends to.</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a second model, B, to see where in the piece each of the two predicts better.</source>
<translation type="unfinished" />
</message>
<message>
<source>Only heads of models with the scheme DaRoPE learn places for notes: choose one as A, and a finished piece.</source>
<translation type="unfinished" />
</message>
<message>
<source>Both models are reading the piece …</source>
<translation type="unfinished" />
</message>
<message>
<source>No note of the piece has been read yet.</source>
<translation type="unfinished" />
</message>
<message>
<source>E&amp;xport…</source>
<translation type="unfinished" />
</message>
<message>
<source>Diagnose…</source>
<translation type="unfinished" />
</message>
<message>
<source>C&amp;ross-attention</source>
<translation type="unfinished" />
</message>
<message>
<source>Export the view</source>
<translation type="unfinished" />
</message>
<message>
<source>Another view is still being exported: try again in a moment</source>
<translation type="unfinished" />
</message>
<message>
<source>Attention map</source>
<translation type="unfinished" />
</message>
<message>
<source>Shares of attention</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a head by mouse or arrow keys; each has its own colour scale. {keys} Right-click for more.</source>
<translation type="unfinished" />
</message>
<message>
<source>Heads</source>
<translation type="unfinished" />
</message>
<message>
<source>Findings of the probes</source>
<translation type="unfinished" />
</message>
<message>
<source>Probe</source>
<translation type="unfinished" />
</message>
<message>
<source>Verdict</source>
<translation type="unfinished" />
</message>
<message>
<source>Finding</source>
<translation type="unfinished" />
</message>
<message>
<source>Testing {model} …</source>
<translation type="unfinished" />
</message>
<message>
<source>Diagnosis</source>
<translation type="unfinished" />
</message>
<message>
<source>Mute {head}</source>
<translation type="unfinished" />
</message>
<message>
<source>Unmute {head}</source>
<translation type="unfinished" />
</message>
<message>
<source>Unmute all heads</source>
<translation type="unfinished" />
</message>
<message>
<source>M mutes the head, Shift+M its layer.</source>
<translation type="unfinished" />
</message>
<message>
<source>Replace the piece with this candidate; Undo restores it (Enter)</source>
<translation type="unfinished" />
</message>
<message>
<source>Wait until the candidates are finished, then select one</source>
<translation type="unfinished" />
</message>
<message>
<source>Try again</source>
<translation type="unfinished" />
</message>
<message>
<source>Write other candidates of this passage, with more of its voices</source>
<translation type="unfinished" />
</message>
<message>
<source>Play the passage in a loop, with the bar before it (P)</source>
<translation type="unfinished" />
</message>
<message>
<source>Close the candidates (Esc)</source>
<translation type="unfinished" />
</message>
<message>
<source>Candidates, the original first, then the best</source>
<translation type="unfinished" />
</message>
<message>
<source>More columns</source>
<translation type="unfinished" />
</message>
<message>
<source>The measures that rank the candidates, and their weights</source>
<translation type="unfinished" />
</message>
<message>
<source>Original</source>
<translation type="unfinished" />
</message>
<message>
<source>Candidate {number}</source>
<translation type="unfinished" />
</message>
<message>
<source>Candidates</source>
<translation type="unfinished" />
</message>
<message>
<source>Accept</source>
<translation type="unfinished" />
</message>
<message>
<source>Progress</source>
<translation type="unfinished" />
</message>
<message>
<source>The model’s choice</source>
<translation type="unfinished" />
</message>
<message>
<source>Number of candidates to generate and rank, for new pieces and rewritten passages; their seeds follow the one above</source>
<translation type="unfinished" />
</message>
<message>
<source>Nats per note: loss of the model on pieces it was not trained on, -ln p of all tokens divided by the number of notes; lower is better</source>
<translation type="unfinished" />
</message>
<message>
<source>Length of the piece, including a pickup; auto: as in Bach, drawn with the seed</source>
<translation type="unfinished" />
</message>
<message>
<source>Upbeat; pieces with a pickup of one quarter end on the tonic more often</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrases, each ending with a fermata: as in Bach’s chorales, none, or the number of bars of each, such as 2,2,4. They are shown as brackets above the roll; drag their ends there.</source>
<translation type="unfinished" />
</message>
<message>
<source>Cadence of all phrases, including the last; click a bracket above the roll to choose it for one phrase. Candidates with more of these cadences are ranked first.</source>
<translation type="unfinished" />
</message>
<message>
<source>Begins on</source>
<translation type="unfinished" />
</message>
<message>
<source>First chord of new pieces; at normal and high quality models search for it</source>
<translation type="unfinished" />
</message>
<message>
<source>A A B: the first phrases come twice, the second time with the same notes or another ending; as in Bach, if the bars are, too</source>
<translation type="unfinished" />
</message>
<message>
<source>Beats in a bar</source>
<translation type="unfinished" />
</message>
<message>
<source>Whose pieces new ones sound like: Bach’s chorales, hymns, or your own pieces once a model was taught them on the Experiment page. Passages of a voice are rewritten like Bach’s.</source>
<translation type="unfinished" />
</message>
<message>
<source>Key of the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Models, temperature, top-p, quality, beginning, form and rules</source>
<translation type="unfinished" />
</message>
<message>
<source>Unlikely notes are left out; for new pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>Mode&amp;l for writing</source>
<translation type="unfinished" />
</message>
<message>
<source>Mana&amp;ge models…</source>
<translation type="unfinished" />
</message>
<message>
<source>Cards, import and removal of models (Ctrl+Shift+I)</source>
<translation type="unfinished" />
</message>
<message>
<source>Model for re&amp;writing</source>
<translation type="unfinished" />
</message>
<message>
<source>Form</source>
<translation type="unfinished" />
</message>
<message>
<source>St&amp;yle</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Bars</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Meter</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Key</source>
<translation type="unfinished" />
</message>
<message>
<source>Phra&amp;ses</source>
<translation type="unfinished" />
</message>
<message>
<source>P&amp;ickup</source>
<translation type="unfinished" />
</message>
<message>
<source>Cade&amp;nces</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Ranges</source>
<translation type="unfinished" />
</message>
<message>
<source>Generation</source>
<translation type="unfinished" />
</message>
<message>
<source>See&amp;d</source>
<translation type="unfinished" />
</message>
<message>
<source>C&amp;andidates</source>
<translation type="unfinished" />
</message>
<message>
<source>Advanced</source>
<translation type="unfinished" />
</message>
<message>
<source>Temperat&amp;ure</source>
<translation type="unfinished" />
</message>
<message>
<source>Top-p</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Quality</source>
<translation type="unfinished" />
</message>
<message>
<source>Rules</source>
<translation type="unfinished" />
</message>
<message>
<source>Roll</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes as a piano roll</source>
<translation type="unfinished" />
</message>
<message>
<source>Score</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes as an engraved score</source>
<translation type="unfinished" />
</message>
<message>
<source>Colour notes by surprisal (Ctrl+U)</source>
<translation type="unfinished" />
</message>
<message>
<source>Four staves (Ctrl+Shift+E)</source>
<translation type="unfinished" />
</message>
<message>
<source>Zoom out (Ctrl+-)</source>
<translation type="unfinished" />
</message>
<message>
<source>Fit whole piece (Ctrl+0)</source>
<translation type="unfinished" />
</message>
<message>
<source>Zoom in (Ctrl++)</source>
<translation type="unfinished" />
</message>
<message>
<source>Export…</source>
<translation type="unfinished" />
</message>
<message>
<source>Harmonise a melody…</source>
<translation type="unfinished" />
</message>
<message>
<source>Hymn from words…</source>
<translation type="unfinished" />
</message>
<message>
<source>Stopping …</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop generating (Esc)</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate a new piece (Ctrl+G)</source>
<translation type="unfinished" />
</message>
<message>
<source>Unmute all</source>
<translation type="unfinished" />
</message>
<message>
<source>Muted heads</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate</source>
<translation type="unfinished" />
</message>
<message>
<source>Own lengths…</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a model</source>
<translation type="unfinished" />
</message>
<message>
<source>More</source>
<translation type="unfinished" />
</message>
<message>
<source>Bars of each phrase, such as 2,2,4; each ends with a fermata. In 2:3 it has three quarters</source>
<translation type="unfinished" />
</message>
<message>
<source>Drawn from Bach’s chorales; each seed draws others</source>
<translation type="unfinished" />
</message>
<message>
<source>The model ends phrases where it likes</source>
<translation type="unfinished" />
</message>
<message>
<source>By phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>As at the brackets above the roll</source>
<translation type="unfinished" />
</message>
<message>
<source>Ranges</source>
<translation type="unfinished" />
</message>
<message>
<source>No crossing</source>
<translation type="unfinished" />
</message>
<message>
<source>No parallels</source>
<translation type="unfinished" />
</message>
<message>
<source>Scale of the key</source>
<translation type="unfinished" />
</message>
<message>
<source>No rests</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes that break this rule are never generated.</source>
<translation type="unfinished" />
</message>
<message>
<source>Custom…</source>
<translation type="unfinished" />
</message>
<message>
<source>Lowest and highest note of each voice; models write {pitch} to {pitch_2}</source>
<translation type="unfinished" />
</message>
<message>
<source>{voice}, lowest note</source>
<translation type="unfinished" />
</message>
<message>
<source>{voice}, highest note</source>
<translation type="unfinished" />
</message>
<message>
<source>Reset all weights to their defaults</source>
<translation type="unfinished" />
</message>
<message>
<source>Score: sum of weight × measure; the lowest score is ranked first</source>
<translation type="unfinished" />
</message>
<message>
<source>Weight of {measure}</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrases</source>
<translation type="unfinished" />
</message>
<message>
<source>Reset</source>
<translation type="unfinished" />
</message>
<message>
<source>Weights</source>
<translation type="unfinished" />
</message>
<message>
<source>The roll is empty: generate or open a piece first</source>
<translation type="unfinished" />
</message>
<message>
<source>No model can harmonise: import one with Compose &gt; Models…</source>
<translation type="unfinished" />
</message>
<message>
<source>This model sees the whole melody before it generates the first note.</source>
<translation type="unfinished" />
</message>
<message>
<source>This model writes a few bars at a time and reads ahead in the melody to choose among several versions, except at draft quality.</source>
<translation type="unfinished" />
</message>
<message>
<source>Current piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Current piece: {title}</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate three voices for a given one. The melody does not change.</source>
<translation type="unfinished" />
</message>
<message>
<source>A bundled melody, the piece on the roll, a file, or a recording</source>
<translation type="unfinished" />
</message>
<message>
<source>As in the melody</source>
<translation type="unfinished" />
</message>
<message>
<source>All, the same harmony</source>
<translation type="unfinished" />
</message>
<message>
<source>Verse {verse}, a harmony of its own</source>
<translation type="unfinished" />
</message>
<message>
<source>A verse with a harmony of its own is written out in its place; the others stay as they are</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose the current piece, with words in several verses, to harmonise one of them</source>
<translation type="unfinished" />
</message>
<message>
<source>A verse keeps its soprano and its phrases, and is written by the rewriting model</source>
<translation type="unfinished" />
</message>
<message>
<source>Bars of each phrase, such as 2,2,4, with a pickup in the first; each ends with a fermata</source>
<translation type="unfinished" />
</message>
<message>
<source>The file is read when you harmonise</source>
<translation type="unfinished" />
</message>
<message>
<source>Number of harmonisations to generate and rank; the same as Candidates in the form</source>
<translation type="unfinished" />
</message>
<message>
<source>Harmonise a melody</source>
<translation type="unfinished" />
</message>
<message>
<source>A melody in a MIDI, MusicXML, ABC or JSON file</source>
<translation type="unfinished" />
</message>
<message>
<source>Record a melody on a MIDI keyboard (Ctrl+Shift+P)</source>
<translation type="unfinished" />
</message>
<message>
<source>The melody</source>
<translation type="unfinished" />
</message>
<message>
<source>Model that generates the other voices</source>
<translation type="unfinished" />
</message>
<message>
<source>Harmonise</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;File…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Record…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Melody</source>
<translation type="unfinished" />
</message>
<message>
<source>V&amp;erses</source>
<translation type="unfinished" />
</message>
<message>
<source>P&amp;hrases</source>
<translation type="unfinished" />
</message>
<message>
<source>M&amp;odel</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Candidates</source>
<translation type="unfinished" />
</message>
<message>
<source>A hymn from words</source>
<translation type="unfinished" />
</message>
<message>
<source>The first verse gives the phrases and the rhythm of the melody, a note for each syllable; the others go under it. Model, key, cadences, ranges, quality, seed and candidates are those of the form.</source>
<translation type="unfinished" />
</message>
<message>
<source>A melody by the model, or a bundled tune of the same metre, to be harmonised</source>
<translation type="unfinished" />
</message>
<message>
<source>A new one</source>
<translation type="unfinished" />
</message>
<message>
<source>As in hymnals, such as 8.7.8.7 D or C.M.; empty: counted from the first verse</source>
<translation type="unfinished" />
</message>
<message>
<source>Counted from the words</source>
<translation type="unfinished" />
</message>
<message>
<source>Lines &amp;begin</source>
<translation type="unfinished" />
</message>
<message>
<source>Whether the first note of each line comes before the bar line</source>
<translation type="unfinished" />
</message>
<message>
<source>Ti&amp;me signature</source>
<translation type="unfinished" />
</message>
<message>
<source>In 3/4 stressed syllables have half notes</source>
<translation type="unfinished" />
</message>
<message>
<source>The tune has its own rhythm</source>
<translation type="unfinished" />
</message>
<message>
<source>Me&amp;tre</source>
<translation type="unfinished" />
</message>
<message>
<source>Mel&amp;ody</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrases can be changed in {meters} only: this piece is in {meter}</source>
<translation type="unfinished" />
</message>
<message>
<source>Rewrite everything</source>
<translation type="unfinished" />
</message>
<message>
<source>all notes that are not locked</source>
<translation type="unfinished" />
</message>
<message>
<source>Different</source>
<translation type="unfinished" />
</message>
<message>
<source>about six notes in ten, chosen at random</source>
<translation type="unfinished" />
</message>
<message>
<source>Similar</source>
<translation type="unfinished" />
</message>
<message>
<source>about three notes in ten, chosen at random</source>
<translation type="unfinished" />
</message>
<message>
<source>Very similar</source>
<translation type="unfinished" />
</message>
<message>
<source>about one note in ten, chosen at random</source>
<translation type="unfinished" />
</message>
<message>
<source>Rewrite selection</source>
<translation type="unfinished" />
</message>
<message>
<source>Vary piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Cancel</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate other notes for the selection; all others are kept</source>
<translation type="unfinished" />
</message>
<message>
<source>Rewrite all notes that are not locked; to rewrite only a passage, select it</source>
<translation type="unfinished" />
</message>
<message>
<source>How much of the piece is rewritten</source>
<translation type="unfinished" />
</message>
<message>
<source>All selected notes are rewritten</source>
<translation type="unfinished" />
</message>
<message>
<source>Add bars at the end; existing notes do not change (Ctrl+Shift+G)</source>
<translation type="unfinished" />
</message>
<message>
<source>Rewrite {what}</source>
<translation type="unfinished" />
</message>
<message>
<source>Amount of change</source>
<translation type="unfinished" />
</message>
<message>
<source>Continue ▾</source>
<translation type="unfinished" />
</message>
<message>
<source>Compare with another model</source>
<translation type="unfinished" />
</message>
<message>
<source>Continue the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate a piece to see the attention of the model.</source>
<translation type="unfinished" />
</message>
<message>
<source>No note has been generated yet.</source>
<translation type="unfinished" />
</message>
<message>
<source>Analysing the piece with {model} …</source>
<translation type="unfinished" />
</message>
<message>
<source>Analysing the piece with {model}: {share:.0%}</source>
<translation type="unfinished" />
</message>
<message>
<source>No model is installed.</source>
<translation type="unfinished" />
</message>
<message>
<source>This piece has {tokens:,} cells. Attention is available for pieces of up to {most:,} cells ({bars} bars of 4/4), because the weights of all heads would take gigabytes.</source>
<translation type="unfinished" />
</message>
<message>
<source>Exported {name} to {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>Model whose attention is shown; the one that writes is chosen in Compose, under Advanced</source>
<translation type="unfinished" />
</message>
<message>
<source>The model that is generating; another one can be chosen when it has finished</source>
<translation type="unfinished" />
</message>
<message>
<source>No second model</source>
<translation type="unfinished" />
</message>
<message>
<source>No other model that reads a piece as this one does is installed</source>
<translation type="unfinished" />
</message>
<message>
<source>Show the engraved score first</source>
<translation type="unfinished" />
</message>
<message>
<source>No score yet</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate or open a piece to see its score, or write notes (Ctrl+D).</source>
<translation type="unfinished" />
</message>
<message>
<source>A piece is being generated</source>
<translation type="unfinished" />
</message>
<message>
<source>Its score appears with the first bar.</source>
<translation type="unfinished" />
</message>
<message>
<source>Engraving …</source>
<translation type="unfinished" />
</message>
<message>
<source>The score appears in a moment.</source>
<translation type="unfinished" />
</message>
<message>
<source>No score</source>
<translation type="unfinished" />
</message>
<message>
<source>Engraving the score: {share:.0%}</source>
<translation type="unfinished" />
</message>
<message>
<source>Score engraved</source>
<translation type="unfinished" />
</message>
<message>
<source>Export the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece cannot be dragged: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>Export as MIDI, score, audio or image (Ctrl+Shift+X)</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to drag yet: generate or open a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Opening {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>Exporting {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>Copied {name}: paste it into a folder or a program</source>
<translation type="unfinished" />
</message>
<message>
<source>{doing} failed</source>
<translation type="unfinished" />
</message>
<message>
<source>{doing} was cancelled</source>
<translation type="unfinished" />
</message>
<message>
<source>{doing} is not finished yet: try again in a moment</source>
<translation type="unfinished" />
</message>
<message>
<source>No model is installed: import one with Compose &gt; Models…</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a model under Advanced: only models of test runs are installed</source>
<translation type="unfinished" />
</message>
<message>
<source>a model cannot be used: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>Loading {name} …</source>
<translation type="unfinished" />
</message>
<message>
<source>Preparing musicrel for this processor, once: function {done} of {total}</source>
<translation type="unfinished" />
</message>
<message>
<source>Ready</source>
<translation type="unfinished" />
</message>
<message>
<source>The form asks for a loop of {bars} bars, from the tonic to the dominant: press Generate</source>
<translation type="unfinished" />
</message>
<message>
<source>Ready; {warning}</source>
<translation type="unfinished" />
</message>
<message>
<source>Write a new hymn to words, or set them under a bundled tune (Ctrl+Shift+Y)</source>
<translation type="unfinished" />
</message>
<message>
<source>Locked notes are not rewritten</source>
<translation type="unfinished" />
</message>
<message>
<source>Lock the selection (Ctrl+K). {tip}.

{lookahead}</source>
<translation type="unfinished" />
</message>
<message>
<source>Unlock the selection (Ctrl+K). {tip}.

{lookahead}</source>
<translation type="unfinished" />
</message>
<message>
<source>Play after the count-in</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes appear here as you play.</source>
<translation type="unfinished" />
</message>
<message>
<source>Bar {bar} · {beat}</source>
<translation type="unfinished" />
</message>
<message>
<source>Count-in {beat}</source>
<translation type="unfinished" />
</message>
<message>
<source>the recording was changed:{report}</source>
<translation type="unfinished" />
</message>
<message>
<source>the MIDI port {name} was disconnected; the notes played so far are kept</source>
<translation type="unfinished" />
</message>
<message>
<source>the MIDI port {name} was disconnected; no notes were recorded</source>
<translation type="unfinished" />
</message>
<message>
<source>No notes recorded</source>
<translation type="unfinished" />
</message>
<message>
<source>Recording discarded</source>
<translation type="unfinished" />
</message>
<message>
<source>Melody recorded: harmonise it with Ctrl+H</source>
<translation type="unfinished" />
</message>
<message>
<source>Chords recorded in four voices</source>
<translation type="unfinished" />
</message>
<message>
<source>SoundFonts (*.sf2 *.sf3)</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a SoundFont</source>
<translation type="unfinished" />
</message>
<message>
<source>None (built-in &amp;sound)</source>
<translation type="unfinished" />
</message>
<message>
<source>Pause; the playhead stays where it is</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Pause</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is open already</source>
<translation type="unfinished" />
</message>
<message>
<source>a document cannot be restored: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>the last edits are not in the file: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>Save the changes to “{name}”?</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Don't Save</source>
<translation type="unfinished" />
</message>
<message>
<source>A piece is being written. Stop it and close the window?</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Stop and close</source>
<translation type="unfinished" />
</message>
<message>
<source>“{name}” could not be closed properly: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} was opened read-only: choose another name</source>
<translation type="unfinished" />
</message>
<message>
<source>a project is not called {name}: choose a name with .musicrel, or use Export</source>
<translation type="unfinished" />
</message>
<message>
<source>the project is not saved: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>Saved {name} in {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>Opened {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>“{name}” was recovered with all edits after musicrel ended unexpectedly</source>
<translation type="unfinished" />
</message>
<message>
<source>Save the project</source>
<translation type="unfinished" />
</message>
<message>
<source>changed on opening {name}:{report}</source>
<translation type="unfinished" />
</message>
<message>
<source>If you do not save, all changes since the last save are lost.</source>
<translation type="unfinished" />
</message>
<message>
<source>The piece being written is stopped.</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Continue</source>
<translation type="unfinished" />
</message>
<message>
<source>Mark rule violations at the notes (Ctrl+Shift+M)</source>
<translation type="unfinished" />
</message>
<message>
<source>Click for a list of the violations (Ctrl+F8)</source>
<translation type="unfinished" />
</message>
<message>
<source>Rule violations</source>
<translation type="unfinished" />
</message>
<message>
<source>Close the list (Ctrl+F8)</source>
<translation type="unfinished" />
</message>
<message>
<source>Write candidates without this</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a violation to see its notes, the rule and its source (F8).</source>
<translation type="unfinished" />
</message>
<message>
<source>No model is installed: install one to write candidates</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a note with a rule violation first; F8 goes to the next one</source>
<translation type="unfinished" />
</message>
<message>
<source>Checking the rules…</source>
<translation type="unfinished" />
</message>
<message>
<source>Violation {number} of {count}: {mark.title}, {mark.who}, {mark.where}</source>
<translation type="unfinished" />
</message>
<message>
<source>New chorale</source>
<translation type="unfinished" />
</message>
<message>
<source>There is no take yet: generate or open a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>No take is selected: select one in the strip of takes (Ctrl+T)</source>
<translation type="unfinished" />
</message>
<message>
<source>Several takes are selected: select one of them</source>
<translation type="unfinished" />
</message>
<message>
<source>The current piece is shown again</source>
<translation type="unfinished" />
</message>
<message>
<source>No take is being played</source>
<translation type="unfinished" />
</message>
<message>
<source>This take is a new piece: it was not made by changing another one</source>
<translation type="unfinished" />
</message>
<message>
<source>This take has the same notes as the piece it was made from</source>
<translation type="unfinished" />
</message>
<message>
<source>This is the current piece</source>
<translation type="unfinished" />
</message>
<message>
<source>{name}: this take is the current piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Playing “{name}”: Esc ends it</source>
<translation type="unfinished" />
</message>
<message>
<source>Playing the change of “{name}”: Esc ends it</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} deleted: Undo restores what was deleted</source>
<translation type="unfinished" />
</message>
<message>
<source>{takes} selected</source>
<translation type="unfinished" />
</message>
<message>
<source>The current take cannot be deleted: use another one first</source>
<translation type="unfinished" />
</message>
<message>
<source>There is no piece yet: accept a candidate or close them first</source>
<translation type="unfinished" />
</message>
<message>
<source>{title} was made with {settings}, not in the form: its seed gives other notes</source>
<translation type="unfinished" />
</message>
<message>
<source>{title} was made with {differences}: its seed may give other notes here</source>
<translation type="unfinished" />
</message>
<message>
<source>Chorale {seed}, unfinished</source>
<translation type="unfinished" />
</message>
<message>
<source>a new piece</source>
<translation type="unfinished" />
</message>
<message>
<source>the whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>{bars} more bars</source>
<translation type="unfinished" />
</message>
<message>
<source>harmony for “{title}”</source>
<translation type="unfinished" />
</message>
<message>
<source>Cancelled</source>
<translation type="unfinished" />
</message>
<message>
<source>No candidate was generated</source>
<translation type="unfinished" />
</message>
<message>
<source>The piece is ready</source>
<translation type="unfinished" />
</message>
<message>
<source>The candidates are ready</source>
<translation type="unfinished" />
</message>
<message>
<source>No candidate was completed: the longest unfinished one is kept</source>
<translation type="unfinished" />
</message>
<message>
<source>Generating {candidates} of {what}</source>
<translation type="unfinished" />
</message>
<message>
<source>Generating {what}</source>
<translation type="unfinished" />
</message>
<message>
<source>{}, generated in {:.1f} s</source>
<translation type="unfinished" />
</message>
<message>
<source>{} in {:.1f} s</source>
<translation type="unfinished" />
</message>
<message>
<source>different candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>Restored {title}</source>
<translation type="unfinished" />
</message>
<message>
<source>Accepted candidate {number}: {what}</source>
<translation type="unfinished" />
</message>
<message>
<source>Candidate {number}: Enter accepts it, Esc goes back to {before}</source>
<translation type="unfinished" />
</message>
<message>
<source>Candidate 1 of {count} is finished: select it to play it meanwhile</source>
<translation type="unfinished" />
</message>
<message>
<source>Writing and revising {}: {:.0%}</source>
<translation type="unfinished" />
</message>
<message>
<source>The candidates are kept as takes (Ctrl+T)</source>
<translation type="unfinished" />
</message>
<message>
<source>Select one with the arrow keys to show and play it; Enter accepts it.</source>
<translation type="unfinished" />
</message>
<message>
<source>Its notes are shown here as they are written.</source>
<translation type="unfinished" />
</message>
<message>
<source>It is shown here when it is finished.</source>
<translation type="unfinished" />
</message>
<message>
<source>The best one is shown here when all are finished.</source>
<translation type="unfinished" />
</message>
<message>
<source>At draft quality and at temperature 0 this model does not look ahead to the notes kept after the passage.</source>
<translation type="unfinished" />
</message>
<message>
<source>1: all heads. 2: {muted} muted. The same seed. Arrow keys switch, and play again at the end.</source>
<translation type="unfinished" />
</message>
<message>
<source>; at draft quality or temperature 0, cadences are chosen only among several candidates</source>
<translation type="unfinished" />
</message>
<message>
<source>Reading the training pieces for the means of muted heads: {share:.0%}</source>
<translation type="unfinished" />
</message>
<message>
<source>Generating bar {bar} of {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>Searching among versions of a phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>Searching: {:.0f} of {} continuations fit</source>
<translation type="unfinished" />
</message>
<message>
<source>Generated in {:.1f} s{}</source>
<translation type="unfinished" />
</message>
<message>
<source>Generation failed</source>
<translation type="unfinished" />
</message>
<message>
<source>Stopped in bar {bar} of {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>Reading {name} …</source>
<translation type="unfinished" />
</message>
<message>
<source>A melody is being read: try again in a moment</source>
<translation type="unfinished" />
</message>
<message>
<source>the melody of {name} was changed:{report}</source>
<translation type="unfinished" />
</message>
<message>
<source>Melody of {title}</source>
<translation type="unfinished" />
</message>
<message>
<source>Reading the melody failed</source>
<translation type="unfinished" />
</message>
<message>
<source>the melody</source>
<translation type="unfinished" />
</message>
<message>
<source>Add three voices to a bundled melody, a file or the roll (Ctrl+H)</source>
<translation type="unfinished" />
</message>
<message>
<source>the platform {name!r} of the variable {variable} does not work here: unset it</source>
<translation type="unfinished" />
</message>
<message>
<source>the display {names} cannot be reached: check that it is running and that its libraries are installed</source>
<translation type="unfinished" />
</message>
<message>
<source>Untitled</source>
<translation type="unfinished" />
</message>
<message>
<source>There is no piece yet: generate or open one, or write notes (Ctrl+D)</source>
<translation type="unfinished" />
</message>
<message>
<source>A piece is being generated: wait until it is finished, or stop it</source>
<translation type="unfinished" />
</message>
<message>
<source>A candidate is shown: accept it (Ctrl+Return) or go back (Esc) first</source>
<translation type="unfinished" />
</message>
<message>
<source>Copied {notes}</source>
<translation type="unfinished" />
</message>
<message>
<source>Cut {notes}</source>
<translation type="unfinished" />
</message>
<message>
<source>No note is selected</source>
<translation type="unfinished" />
</message>
<message>
<source>These notes are here already: select another place to paste, or press R to repeat them</source>
<translation type="unfinished" />
</message>
<message>
<source>There are no verses to write out: the piece has words in one verse at a time</source>
<translation type="unfinished" />
</message>
<message>
<source>Nothing to change: no note is selected</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to undo</source>
<translation type="unfinished" />
</message>
<message>
<source>There is nothing to redo</source>
<translation type="unfinished" />
</message>
<message>
<source>Undone: {effect}</source>
<translation type="unfinished" />
</message>
<message>
<source>Redone: {effect}</source>
<translation type="unfinished" />
</message>
<message>
<source>restore {title}</source>
<translation type="unfinished" />
</message>
<message>
<source>delete takes</source>
<translation type="unfinished" />
</message>
<message>
<source>restore takes</source>
<translation type="unfinished" />
</message>
<message>
<source>Locks restored</source>
<translation type="unfinished" />
</message>
<message>
<source>Takes restored</source>
<translation type="unfinished" />
</message>
<message>
<source>Takes deleted</source>
<translation type="unfinished" />
</message>
<message>
<source>Key, tempo and dynamic from {place}</source>
<translation type="unfinished" />
</message>
<message>
<source> % of the tempo</source>
<translation type="unfinished" />
</message>
<message>
<source>The key changes at the bar line. A ritardando lasts as long as the selection; after it the tempo returns, and at 100 % there is none.</source>
<translation type="unfinished" />
</message>
<message>
<source>From this bar to the next change of key; the notes stay as they are</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Tempo</source>
<translation type="unfinished" />
</message>
<message>
<source>Quarter notes a minute, 5 to 600, from here to the next change of tempo</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Slows down to</source>
<translation type="unfinished" />
</message>
<message>
<source>What is left of the tempo at the end of the selection, 10 to 100 %</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Dynamic</source>
<translation type="unfinished" />
</message>
<message>
<source>Of all voices, from here to the next one</source>
<translation type="unfinished" />
</message>
<message>
<source>Apply</source>
<translation type="unfinished" />
</message>
<message>
<source>Write a melody</source>
<translation type="unfinished" />
</message>
<message>
<source>Type A to G, or click on the roll. Then harmonise it (Ctrl+H).</source>
<translation type="unfinished" />
</message>
<message>
<source>Note input, {voice}: A to G write notes, 3 to 7 set the duration, Esc ends</source>
<translation type="unfinished" />
</message>
<message>
<source>Note input is off</source>
<translation type="unfinished" />
</message>
<message>
<source>Note input</source>
<translation type="unfinished" />
</message>
<message>
<source>A to G write notes, 0 a rest; Up, Down: semitone, with Ctrl octave; T ties; Esc ends</source>
<translation type="unfinished" />
</message>
<message>
<source>A to G: a note, 0: a rest; a MIDI keyboard writes notes, too
3 to 7: sixteenth to whole note, full stop: dotted
Up, Down: raise or lower the last note; Ctrl+Up, Ctrl+Down: by an octave
T: tie the last note to another one of the chosen length
Backspace: remove the note before the cursor
Left, Right, Home, End: move the cursor; Page Up, Page Down: another voice
Click or drag on the roll: write a note; click it again: remove it
Esc: leave note input</source>
<translation type="unfinished" />
</message>
<message>
<source>Write the {voice} (Page Up and Page Down change the voice)</source>
<translation type="unfinished" />
</message>
<message>
<source>Dotted: half as long again (full stop)</source>
<translation type="unfinished" />
</message>
<message>
<source>Write a rest (0)</source>
<translation type="unfinished" />
</message>
<message>
<source>Leave note input (Esc)</source>
<translation type="unfinished" />
</message>
<message>
<source>Drag to move, with Ctrl to copy, with Alt off the grid, at the right end to resize; double-click deletes</source>
<translation type="unfinished" />
</message>
<message>
<source>Drag up or down to change the pitch, click to select</source>
<translation type="unfinished" />
</message>
<message>
<source>Deleted: {note}</source>
<translation type="unfinished" />
</message>
<message>
<source>Show the chords as Roman numerals, also in files and prints of the score</source>
<translation type="unfinished" />
</message>
<message>
<source>Properties of the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Unknown</source>
<translation type="unfinished" />
</message>
<message>
<source> quarters a minute</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Keep the notes</source>
<translation type="unfinished" />
</message>
<message>
<source>T&amp;ranspose the notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Only the key signature and the spelling change</source>
<translation type="unfinished" />
</message>
<message>
<source>All notes move with the key, up or down, whichever is nearer</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Title</source>
<translation type="unfinished" />
</message>
<message>
<source>Shown on scores and in exported files</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Composer</source>
<translation type="unfinished" />
</message>
<message>
<source>Shown on scores and in exported files; empty: unknown</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Poet</source>
<translation type="unfinished" />
</message>
<message>
<source>Who wrote the words; shown on scores and in exported files</source>
<translation type="unfinished" />
</message>
<message>
<source>T&amp;une</source>
<translation type="unfinished" />
</message>
<message>
<source>Name of the tune; shown on scores below the composer</source>
<translation type="unfinished" />
</message>
<message>
<source>Copyri&amp;ght</source>
<translation type="unfinished" />
</message>
<message>
<source>Shown at the foot of the first page of a score</source>
<translation type="unfinished" />
</message>
<message>
<source>Ke&amp;y</source>
<translation type="unfinished" />
</message>
<message>
<source>Determines the key signature and the spelling of notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Bar lines move, notes stay where they are; 1 to 32 over 1, 2, 4, 8 or 16</source>
<translation type="unfinished" />
</message>
<message>
<source>Beats before the first bar line</source>
<translation type="unfinished" />
</message>
<message>
<source>T&amp;empo</source>
<translation type="unfinished" />
</message>
<message>
<source>Quarter notes a minute, 5 to 600</source>
<translation type="unfinished" />
</message>
<message>
<source>Transpose the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>a whole tone</source>
<translation type="unfinished" />
</message>
<message>
<source>a minor third</source>
<translation type="unfinished" />
</message>
<message>
<source>a major third</source>
<translation type="unfinished" />
</message>
<message>
<source>a minor sixth</source>
<translation type="unfinished" />
</message>
<message>
<source>a major sixth</source>
<translation type="unfinished" />
</message>
<message>
<source>a minor seventh</source>
<translation type="unfinished" />
</message>
<message>
<source>a major seventh</source>
<translation type="unfinished" />
</message>
<message>
<source>an octave</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Fit the voices</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose the interval that leaves the fewest notes outside the ranges of the voices</source>
<translation type="unfinished" />
</message>
<message>
<source>No other interval leaves fewer notes outside the ranges of the voices</source>
<translation type="unfinished" />
</message>
<message>
<source>All notes are within the ranges of their voices.</source>
<translation type="unfinished" />
</message>
<message>
<source>Outside their ranges: {counts}.</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Transpose</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Interval</source>
<translation type="unfinished" />
</message>
<message>
<source>There is no note to write words under: select one</source>
<translation type="unfinished" />
</message>
<message>
<source>Words under the notes</source>
<translation type="unfinished" />
</message>
<message>
<source>{voice}, verse {verse}</source>
<translation type="unfinished" />
</message>
<message>
<source>Space: next note; hyphen: next syllable; Enter: next verse; Esc ends</source>
<translation type="unfinished" />
</message>
<message>
<source>Space: the next note, a new word
Hyphen: the next note, the word goes on
Underscore: the next note, the word is held
Tilde: two words on one note
Enter, Down: the next verse under this note; Up: the verse before
Left, Right: the note before or after
Esc: leave the words</source>
<translation type="unfinished" />
</message>
<message>
<source>Leave the words (Esc)</source>
<translation type="unfinished" />
</message>
<message>
<source>Words of the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Set the words</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Remove words</source>
<translation type="unfinished" />
</message>
<message>
<source>Remove the words of all voices and verses</source>
<translation type="unfinished" />
</message>
<message>
<source>The piece has no words</source>
<translation type="unfinished" />
</message>
<message>
<source>The text is set under the melody, a line for each phrase. It replaces the words that are there; corrected words keep their notes.</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a note in the roll to see which heads, voices and other notes mattered for it.</source>
<translation type="unfinished" />
</message>
<message>
<source>Blue: it helped to predict the note. Orange: it hindered. Strips: the voices it looks at. M mutes.</source>
<translation type="unfinished" />
</message>
<message>
<source>Reading the training pieces to learn what each head does on average, once for this model: {share:.0%}</source>
<translation type="unfinished" />
</message>
<message>
<source>{bar} is open; Undo brings your piece back</source>
<translation type="unfinished" />
</message>
<message>
<source>Muted in {model}: {heads}</source>
<translation type="unfinished" />
</message>
<message>
<source>No head of {model} is muted</source>
<translation type="unfinished" />
</message>
<message>
<source>A &amp;new piece, twice</source>
<translation type="unfinished" />
</message>
<message>
<source>From the form in Compose, with its seed</source>
<translation type="unfinished" />
</message>
<message>
<source>a new piece with all heads and with {heads} muted</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece from bar {bar} on, with all heads and with {heads} muted</source>
<translation type="unfinished" />
</message>
<message>
<source>This piece from &amp;bar {bar} on, twice</source>
<translation type="unfinished" />
</message>
<message>
<source>All notes before the bar are kept</source>
<translation type="unfinished" />
</message>
<message>
<source>What mattered for the chosen note: heads, voices, other notes. Mute heads here.</source>
<translation type="unfinished" />
</message>
<message>
<source>Removing one head after another …</source>
<translation type="unfinished" />
</message>
<message>
<source>Mute a head first: choose one in the grid and press M</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate the same once with all heads and once with the muted ones silenced</source>
<translation type="unfinished" />
</message>
<message>
<source>This piece from the bar of the chosen &amp;note on, twice</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a note after the first bar: the notes before its bar are kept</source>
<translation type="unfinished" />
</message>
<message>
<source>Effects</source>
<translation type="unfinished" />
</message>
<message>
<source>Output of a removed or muted head: its mean over the training pieces, or zero. The mean keeps what the head contributes to every note; zero removes that as well.</source>
<translation type="unfinished" />
</message>
<message>
<source>What each head and voice did</source>
<translation type="unfinished" />
</message>
<message>
<source>Effects on the whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Most probable notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Show the effects in {model}, and mute its heads</source>
<translation type="unfinished" />
</message>
<message>
<source>Effects in {letter}, {model}</source>
<translation type="unfinished" />
</message>
<message>
<source>Removing one note after another …</source>
<translation type="unfinished" />
</message>
<message>
<source>Muted: {heads}</source>
<translation type="unfinished" />
</message>
<message>
<source>Listen to the &amp;difference</source>
<translation type="unfinished" />
</message>
<message>
<source>Save a view as a picture (PNG, SVG) or its numbers (CSV)</source>
<translation type="unfinished" />
</message>
<message>
<source>Replace &amp;by</source>
<translation type="unfinished" />
</message>
<message>
<source>Effect of each head on the chosen note. {mute_keys} Right-click for more.</source>
<translation type="unfinished" />
</message>
<message>
<source>Why this note, in one sentence: its chord, how probable it was, and the voice that did most for it</source>
<translation type="unfinished" />
</message>
<message>
<source>Muted heads are muted for this note here, and for all notes in Generate, Rewrite, Continue and Harmonise</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Effects of heads…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Most probable notes…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Sources…</source>
<translation type="unfinished" />
</message>
<message>
<source>V&amp;otes…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Layers…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Whole piece…</source>
<translation type="unfinished" />
</message>
<message>
<source>Strongest &amp;bars…</source>
<translation type="unfinished" />
</message>
<message>
<source>Not known yet: open the votes, find the sources, measure the piece or search the chorales first</source>
<translation type="unfinished" />
</message>
<message>
<source>See which other notes the model looks at, and which of them matter.</source>
<translation type="unfinished" />
</message>
<message>
<source>Find the sources</source>
<translation type="unfinished" />
</message>
<message>
<source>Remove 64 notes with the largest weights and 64 random ones, one at a time</source>
<translation type="unfinished" />
</message>
<message>
<source>How much worse is the prediction of the whole piece without each head?</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Measure all heads</source>
<translation type="unfinished" />
</message>
<message>
<source>Replace each head at all notes of the piece; this takes a while</source>
<translation type="unfinished" />
</message>
<message>
<source>In which bars of Bach's chorales does the chosen head do most for the notes?</source>
<translation type="unfinished" />
</message>
<message>
<source>Search the chora&amp;les</source>
<translation type="unfinished" />
</message>
<message>
<source>Read the 75 chorales that the models were not trained on; this takes a minute</source>
<translation type="unfinished" />
</message>
<message>
<source>Strongest bars</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a head in the grid on the left to see its strongest bars.</source>
<translation type="unfinished" />
</message>
<message>
<source>Adding up what each head gave to each note …</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Sources</source>
<translation type="unfinished" />
</message>
<message>
<source>Other notes: how much the model looks at them, and what they do</source>
<translation type="unfinished" />
</message>
<message>
<source>V&amp;otes</source>
<translation type="unfinished" />
</message>
<message>
<source>Which head raised or lowered which note (direct logit attribution)</source>
<translation type="unfinished" />
</message>
<message>
<source>La&amp;yers</source>
<translation type="unfinished" />
</message>
<message>
<source>What each layer would choose if it were the last (logit lens)</source>
<translation type="unfinished" />
</message>
<message>
<source>Whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Effect of each head on all notes of the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Bars</source>
<translation type="unfinished" />
</message>
<message>
<source>The twenty bars of Bach's chorales for which the chosen head did most</source>
<translation type="unfinished" />
</message>
<message>
<source>Layers</source>
<translation type="unfinished" />
</message>
<message>
<source>Sources</source>
<translation type="unfinished" />
</message>
<message>
<source>Votes</source>
<translation type="unfinished" />
</message>
<message>
<source>Mean</source>
<translation type="unfinished" />
</message>
<message>
<source>Zero</source>
<translation type="unfinished" />
</message>
<message>
<source>Bold: mean, with its 95 % confidence interval. Thin: seeds.</source>
<translation type="unfinished" />
</message>
<message>
<source>Log &amp;x</source>
<translation type="unfinished" />
</message>
<message>
<source>Log &amp;y</source>
<translation type="unfinished" />
</message>
<message>
<source>Learning curves</source>
<translation type="unfinished" />
</message>
<message>
<source>Export curves</source>
<translation type="unfinished" />
</message>
<message>
<source>by steps</source>
<translation type="unfinished" />
</message>
<message>
<source>by tokens</source>
<translation type="unfinished" />
</message>
<message>
<source>by time</source>
<translation type="unfinished" />
</message>
<message>
<source>Validation</source>
<translation type="unfinished" />
</message>
<message>
<source>Both</source>
<translation type="unfinished" />
</message>
<message>
<source>Bold: mean, 95 % CI. Thin: seeds.</source>
<translation type="unfinished" />
</message>
<message>
<source>Show everything again (0). Drag or arrow keys move, wheel or + and − zoom</source>
<translation type="unfinished" />
</message>
<message>
<source>Horizontal axis</source>
<translation type="unfinished" />
</message>
<message>
<source>Split on which the losses were measured</source>
<translation type="unfinished" />
</message>
<message>
<source>Logarithmic horizontal axis</source>
<translation type="unfinished" />
</message>
<message>
<source>Logarithmic scale for losses</source>
<translation type="unfinished" />
</message>
<message>
<source>Save the curves as a picture, or their points as CSV</source>
<translation type="unfinished" />
</message>
<message>
<source>Split</source>
<translation type="unfinished" />
</message>
<message>
<source>All studies are archived.</source>
<translation type="unfinished" />
</message>
<message>
<source>Show archived</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;New study…</source>
<translation type="unfinished" />
</message>
<message>
<source>Teach it m&amp;y pieces…</source>
<translation type="unfinished" />
</message>
<message>
<source>Open a study folder…</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose, edit and start a study</source>
<translation type="unfinished" />
</message>
<message>
<source>Let a model learn from a folder of your pieces and write in their style</source>
<translation type="unfinished" />
</message>
<message>
<source>Open a study in another folder</source>
<translation type="unfinished" />
</message>
<message>
<source>List archived studies as well</source>
<translation type="unfinished" />
</message>
<message>
<source>No studies yet. Studies you start appear here; to see one that was started on the command line, open its folder.</source>
<translation type="unfinished" />
</message>
<message>
<source>Studies</source>
<translation type="unfinished" />
</message>
<message>
<source>Studies are in the full package</source>
<translation type="unfinished" />
</message>
<message>
<source>Runs side by side</source>
<translation type="unfinished" />
</message>
<message>
<source>Runs side by side slow each other down; losses stay the same</source>
<translation type="unfinished" />
</message>
<message>
<source>Address of the cluster</source>
<translation type="unfinished" />
</message>
<message>
<source>auto, or HOST:PORT</source>
<translation type="unfinished" />
</message>
<message>
<source>HOST:PORT of its head node; auto: the cluster that this computer belongs to</source>
<translation type="unfinished" />
</message>
<message>
<source>Fetch files</source>
<translation type="unfinished" />
</message>
<message>
<source>For machines that do not share the folder of the study</source>
<translation type="unfinished" />
</message>
<message>
<source>Nodes of the cluster</source>
<translation type="unfinished" />
</message>
<message>
<source>This computer</source>
<translation type="unfinished" />
</message>
<message>
<source>A Ray cluster</source>
<translation type="unfinished" />
</message>
<message>
<source>{} runs side by side</source>
<translation type="unfinished" />
</message>
<message>
<source>one run at a time</source>
<translation type="unfinished" />
</message>
<message>
<source>as many as there is room for</source>
<translation type="unfinished" />
</message>
<message>
<source>Where the runs are trained</source>
<translation type="unfinished" />
</message>
<message>
<source>Samples were not enabled for this study.</source>
<translation type="unfinished" />
</message>
<message>
<source>Seed of the samples</source>
<translation type="unfinished" />
</message>
<message>
<source>Training step of the samples</source>
<translation type="unfinished" />
</message>
<message>
<source>Seed {seed}</source>
<translation type="unfinished" />
</message>
<message>
<source>Step {step:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>Open in Compose</source>
<translation type="unfinished" />
</message>
<message>
<source>step {step:,}  ·  {loss:.2f} nats/note</source>
<translation type="unfinished" />
</message>
<message>
<source>{arm} · seed {seed} · step {step:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal of the sample under the model that generated it</source>
<translation type="unfinished" />
</message>
<message>
<source>Each evaluation generates one sample per arm.</source>
<translation type="unfinished" />
</message>
<message>
<source>Play</source>
<translation type="unfinished" />
</message>
<message>
<source>Open</source>
<translation type="unfinished" />
</message>
<message>
<source>A sample of the study {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>Open a study folder</source>
<translation type="unfinished" />
</message>
<message>
<source>Save the report</source>
<translation type="unfinished" />
</message>
<message>
<source>Saved the report as {name} in {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>A report is being saved: try again in a moment</source>
<translation type="unfinished" />
</message>
<message>
<source>This light package of musicrel does not include torch: it writes, rewrites, harmonises, plays, shows and exports. The full package adds the training and comparison of models, the attention of infilling models, the diagnosis of models, GPUs, and models with layers other than the bundled ones.</source>
<translation type="unfinished" />
</message>
<message>
<source>A model is being copied: try again in a moment</source>
<translation type="unfinished" />
</message>
<message>
<source>Undo</source>
<translation type="unfinished" />
</message>
<message>
<source>Name of the study:</source>
<translation type="unfinished" />
</message>
<message>
<source>Rename study</source>
<translation type="unfinished" />
</message>
<message>
<source>{before} is now {name}.</source>
<translation type="unfinished" />
</message>
<message>
<source>{before} is archived.</source>
<translation type="unfinished" />
</message>
<message>
<source>{before} is listed again.</source>
<translation type="unfinished" />
</message>
<message>
<source>{before} was deleted; it is kept in {folder}.</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is back.</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Rename</source>
<translation type="unfinished" />
</message>
<message>
<source>The study is being prepared: wait a moment</source>
<translation type="unfinished" />
</message>
<message>
<source>Start now; the study continues when this window is closed</source>
<translation type="unfinished" />
</message>
<message>
<source>Another study is running: this one starts when that one is finished</source>
<translation type="unfinished" />
</message>
<message>
<source>Start from a study</source>
<translation type="unfinished" />
</message>
<message>
<source>Studies (*.toml)</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose the data</source>
<translation type="unfinished" />
</message>
<message>
<source>Reading …</source>
<translation type="unfinished" />
</message>
<message>
<source>Add to queue</source>
<translation type="unfinished" />
</message>
<message>
<source>Checking …</source>
<translation type="unfinished" />
</message>
<message>
<source>The entries are being checked: wait a moment</source>
<translation type="unfinished" />
</message>
<message>
<source>Start</source>
<translation type="unfinished" />
</message>
<message>
<source>A study trains models that differ in one respect on the same data in the same order, and reports whether one of them learns better, with confidence intervals.</source>
<translation type="unfinished" />
</message>
<message>
<source>From a file…</source>
<translation type="unfinished" />
</message>
<message>
<source>Unit of the budget</source>
<translation type="unfinished" />
</message>
<message>
<source>Chec&amp;k files</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate a &amp;sample at each evaluation</source>
<translation type="unfinished" />
</message>
<message>
<source>Learning &amp;rates</source>
<translation type="unfinished" />
</message>
<message>
<source>Each arm is trained with every seed, e.g. 0, 1, 2 or 0-4</source>
<translation type="unfinished" />
</message>
<message>
<source>Training budget of each run</source>
<translation type="unfinished" />
</message>
<message>
<source>Learning rates to try first, e.g. 0.001, 0.002, 0.004: each arm gets the one with the lowest validation loss after a tenth of the budget. Empty: the rate of the recipe, without a search</source>
<translation type="unfinished" />
</message>
<message>
<source>Each evaluation generates a sample of eight bars</source>
<translation type="unfinished" />
</message>
<message>
<source>no search</source>
<translation type="unfinished" />
</message>
<message>
<source>{meaning}; empty: value of the recipe</source>
<translation type="unfinished" />
</message>
<message>
<source>File or folder of the data</source>
<translation type="unfinished" />
</message>
<message>
<source>Accepted and rejected files</source>
<translation type="unfinished" />
</message>
<message>
<source>New study</source>
<translation type="unfinished" />
</message>
<message>
<source>Start fro&amp;m</source>
<translation type="unfinished" />
</message>
<message>
<source>Run &amp;on</source>
<translation type="unfinished" />
</message>
<message>
<source>Where it runs, budget, learning rates, and size and training of the models</source>
<translation type="unfinished" />
</message>
<message>
<source>{title}: start here</source>
<translation type="unfinished" />
</message>
<message>
<source>Arms to compare</source>
<translation type="unfinished" />
</message>
<message>
<source>Start from</source>
<translation type="unfinished" />
</message>
<message>
<source>The bundled Bach chorales</source>
<translation type="unfinished" />
</message>
<message>
<source>A JSB file</source>
<translation type="unfinished" />
</message>
<message>
<source>A folder of your own pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>Other data, by name</source>
<translation type="unfinished" />
</message>
<message>
<source>Jsb16thSeparated.json</source>
<translation type="unfinished" />
</message>
<message>
<source>Path of the folder</source>
<translation type="unfinished" />
</message>
<message>
<source>Source</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Browse…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Name</source>
<translation type="unfinished" />
</message>
<message>
<source>Compare</source>
<translation type="unfinished" />
</message>
<message>
<source>See&amp;ds</source>
<translation type="unfinished" />
</message>
<message>
<source>Pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>Size</source>
<translation type="unfinished" />
</message>
<message>
<source>Bud&amp;get</source>
<translation type="unfinished" />
</message>
<message>
<source>the study trains no models: its report is report.md in its folder</source>
<translation type="unfinished" />
</message>
<message>
<source>as edited</source>
<translation type="unfinished" />
</message>
<message>
<source>study {edited}</source>
<translation type="unfinished" />
</message>
<message>
<source>Show the files in {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>Runs on</source>
<translation type="unfinished" />
</message>
<message>
<source>Progress of the study</source>
<translation type="unfinished" />
</message>
<message>
<source>Save report…</source>
<translation type="unfinished" />
</message>
<message>
<source>Save question, verdict, tables and curves as one HTML page or as a PDF</source>
<translation type="unfinished" />
</message>
<message>
<source>There is no result to report yet</source>
<translation type="unfinished" />
</message>
<message>
<source>Give the study another name; its files stay as they are</source>
<translation type="unfinished" />
</message>
<message>
<source>Remove the study from the list; it is kept, and Show archived lists it again</source>
<translation type="unfinished" />
</message>
<message>
<source>List the study among the others again</source>
<translation type="unfinished" />
</message>
<message>
<source>Move the study to the trash</source>
<translation type="unfinished" />
</message>
<message>
<source>Rename, archive or delete the study</source>
<translation type="unfinished" />
</message>
<message>
<source>Take from the &amp;archive</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Start</source>
<translation type="unfinished" />
</message>
<message>
<source>Start the study, or resume it from the last checkpoint</source>
<translation type="unfinished" />
</message>
<message>
<source>P&amp;ause</source>
<translation type="unfinished" />
</message>
<message>
<source>Pause after the current step; the process keeps running</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Resume</source>
<translation type="unfinished" />
</message>
<message>
<source>Resume after a pause</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop and save</source>
<translation type="unfinished" />
</message>
<message>
<source>Save and stop; the study can be resumed later</source>
<translation type="unfinished" />
</message>
<message>
<source>Cance&amp;l…</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop now without saving, or remove from the queue</source>
<translation type="unfinished" />
</message>
<message>
<source>The folder is being read</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Archive</source>
<translation type="unfinished" />
</message>
<message>
<source>F&amp;older</source>
<translation type="unfinished" />
</message>
<message>
<source>Log</source>
<translation type="unfinished" />
</message>
<message>
<source>Samples</source>
<translation type="unfinished" />
</message>
<message>
<source>Remove…</source>
<translation type="unfinished" />
</message>
<message>
<source>Cancel…</source>
<translation type="unfinished" />
</message>
<message>
<source>Result</source>
<translation type="unfinished" />
</message>
<message>
<source>This run is not finished</source>
<translation type="unfinished" />
</message>
<message>
<source>This run diverged: it has no model</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a finished run first</source>
<translation type="unfinished" />
</message>
<message>
<source>Install the model of the selected run and use it in Compose</source>
<translation type="unfinished" />
</message>
<message>
<source>Runs · losses in {unit}</source>
<translation type="unfinished" />
</message>
<message>
<source> ({arm}, seed {seed})</source>
<translation type="unfinished" />
</message>
<message>
<source>Copy the table</source>
<translation type="unfinished" />
</message>
<message>
<source>No runs yet</source>
<translation type="unfinished" />
</message>
<message>
<source>Runs of the study</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Use in Compose</source>
<translation type="unfinished" />
</message>
<message>
<source>As &amp;Markdown</source>
<translation type="unfinished" />
</message>
<message>
<source>As CS&amp;V</source>
<translation type="unfinished" />
</message>
<message>
<source>As &amp;LaTeX</source>
<translation type="unfinished" />
</message>
<message>
<source>Runs</source>
<translation type="unfinished" />
</message>
<message>
<source>Cop&amp;y</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a folder first</source>
<translation type="unfinished" />
</message>
<message>
<source>It is being prepared: wait a moment</source>
<translation type="unfinished" />
</message>
<message>
<source>Start now; it continues when this window is closed, and can be stopped and resumed</source>
<translation type="unfinished" />
</message>
<message>
<source>Teach it my pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>The model learns from the pieces in a folder, in four voices (MIDI, MusicXML, ABC or JSON), and goes on practising Bach’s chorales. That takes minutes. It then writes in their style: choose it as the style on the Compose page. Some pieces are held out to see how much it has learned.</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose the folder of your pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a folder: each file is listed here with what was read of it, or why not.</source>
<translation type="unfinished" />
</message>
<message>
<source>Te&amp;ach</source>
<translation type="unfinished" />
</message>
<message>
<source>A folder with pieces in it and in its subfolders</source>
<translation type="unfinished" />
</message>
<message>
<source>Name of the style</source>
<translation type="unfinished" />
</message>
<message>
<source>Files</source>
<translation type="unfinished" />
</message>
<message>
<source>“{name}” exists in this folder.</source>
<translation type="unfinished" />
</message>
<message>
<source>Keep both gives the new files a number.</source>
<translation type="unfinished" />
</message>
<message>
<source>{format} file</source>
<translation type="unfinished" />
</message>
<message>
<source>Open a project or a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Projects and pieces ({patterns})</source>
<translation type="unfinished" />
</message>
<message>
<source>{count} of the {files} exist in this folder.</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Replace</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Keep both</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel project</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel piece</source>
<translation type="unfinished" />
</message>
<message>
<source>MusicXML score</source>
<translation type="unfinished" />
</message>
<message>
<source>Compressed MusicXML</source>
<translation type="unfinished" />
</message>
<message>
<source>ABC notation</source>
<translation type="unfinished" />
</message>
<message>
<source>PDF score</source>
<translation type="unfinished" />
</message>
<message>
<source>SVG image</source>
<translation type="unfinished" />
</message>
<message>
<source>PNG image</source>
<translation type="unfinished" />
</message>
<message>
<source>Folder for the files</source>
<translation type="unfinished" />
</message>
<message>
<source>practice file</source>
<translation type="unfinished" />
</message>
<message>
<source>Export practice files</source>
<translation type="unfinished" />
</message>
<message>
<source>One file for each voice, for singers to practise with.</source>
<translation type="unfinished" />
</message>
<message>
<source>Level of the others</source>
<translation type="unfinished" />
</message>
<message>
<source>{share:.0%} of the voice</source>
<translation type="unfinished" />
</message>
<message>
<source>Export takes</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose at least one format</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a folder</source>
<translation type="unfinished" />
</message>
<message>
<source>Roman &amp;numerals below the score</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Figured bass below the score</source>
<translation type="unfinished" />
</message>
<message>
<source>Printer, paper and pages are chosen in the next step.</source>
<translation type="unfinished" />
</message>
<message>
<source>Save as P&amp;DF…</source>
<translation type="unfinished" />
</message>
<message>
<source>Only the score has staves, Roman numerals and a figured bass</source>
<translation type="unfinished" />
</message>
<message>
<source>Printing {title}</source>
<translation type="unfinished" />
</message>
<message>
<source>{pages} sent to {printer}</source>
<translation type="unfinished" />
</message>
<message>
<source>Saved {pages} as {name} in {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece is not printed</source>
<translation type="unfinished" />
</message>
<message>
<source>the PDF is not saved</source>
<translation type="unfinished" />
</message>
<message>
<source>There is no such folder: choose another one</source>
<translation type="unfinished" />
</message>
<message>
<source>Exporting {files}</source>
<translation type="unfinished" />
</message>
<message>
<source>Exported {files} to {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>Folder</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose at least one voice</source>
<translation type="unfinished" />
</message>
<message>
<source>The {voice} has no notes</source>
<translation type="unfinished" />
</message>
<message>
<source>No voice is left without the {voice}: choose the voice louder than the others</source>
<translation type="unfinished" />
</message>
<message>
<source>When a voice is left out, the others keep their level</source>
<translation type="unfinished" />
</message>
<message>
<source>The voice louder than the others</source>
<translation type="unfinished" />
</message>
<message>
<source>left out</source>
<translation type="unfinished" />
</message>
<message>
<source>The others without the voice</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Metronome</source>
<translation type="unfinished" />
</message>
<message>
<source>Clicks on the beats, higher on the first of a bar</source>
<translation type="unfinished" />
</message>
<message>
<source>A bar of clicks before, and the beats missing before a pickup</source>
<translation type="unfinished" />
</message>
<message>
<source>All &amp;verses</source>
<translation type="unfinished" />
</message>
<message>
<source>The verses one after the other, each with its own words</source>
<translation type="unfinished" />
</message>
<message>
<source>The piece has no words in several verses</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Hold fermatas</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes under a fermata longer; in MIDI files a slower tempo</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece</source>
<translation type="unfinished" />
</message>
<message>
<source>No printer is set up on this computer: save a PDF instead</source>
<translation type="unfinished" />
</message>
<message>
<source>Save as PDF</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Export</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Version</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Others</source>
<translation type="unfinished" />
</message>
<message>
<source>Forma&amp;t</source>
<translation type="unfinished" />
</message>
<message>
<source>Voices</source>
<translation type="unfinished" />
</message>
<message>
<source>Sound</source>
<translation type="unfinished" />
</message>
<message>
<source>Formats</source>
<translation type="unfinished" />
</message>
<message>
<source>Piano roll</source>
<translation type="unfinished" />
</message>
<message>
<source>Score and piano roll</source>
<translation type="unfinished" />
</message>
<message>
<source>Two staves, as in a hymn book</source>
<translation type="unfinished" />
</message>
<message>
<source>Four staves, one for each voice</source>
<translation type="unfinished" />
</message>
<message>
<source>Print</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Content</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Staves</source>
<translation type="unfinished" />
</message>
<message>
<source>it is too long: its first {bars} bars are harmonised</source>
<translation type="unfinished" />
</message>
<message>
<source>the piece is not exported</source>
<translation type="unfinished" />
</message>
<message>
<source>Job[float, FileResult]</source>
<translation type="unfinished" />
</message>
<message>
<source>Drag or copy the piece as a MIDI file</source>
<translation type="unfinished" />
</message>
<message>
<source>Drag {what} to a folder or another program as a MIDI file; click to copy it. Bars that are selected are dragged alone</source>
<translation type="unfinished" />
</message>
<message>
<source>Drag MIDI</source>
<translation type="unfinished" />
</message>
<message>
<source>Drag {bars}</source>
<translation type="unfinished" />
</message>
<message>
<source>Documents that you open or save are listed here</source>
<translation type="unfinished" />
</message>
<message>
<source>No document was opened yet</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot find {name} in {folder}: it was removed from the list of recent documents</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Clear</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is open in another window: choose another name</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write {path}: its folder is missing</source>
<translation type="unfinished" />
</message>
<message>
<source>another window has {name} open</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel has ended twice with {file}: open it to try again</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot write into {folder}: save the document elsewhere</source>
<translation type="unfinished" />
</message>
<message>
<source>{path} is in the place of a lock, but is none: delete it</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot delete {path}: {reason}; save the document under another name</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot open a window: {program} cannot be started</source>
<translation type="unfinished" />
</message>
<message>
<source>edits are kept only with Save As</source>
<translation type="unfinished" />
</message>
<message>
<source>the computer “{host}” has {name} open; if it has not, delete {lock} and open the project again</source>
<translation type="unfinished" />
</message>
<message>
<source>another program has replaced {path}, which is left as it is; what was saved last is in {kept}</source>
<translation type="unfinished" />
</message>
<message>
<source>Apple GPU</source>
<translation type="unfinished" />
</message>
<message>
<source>Measuring which device is faster for {task}, once: {device}, {percent:.0f} %</source>
<translation type="unfinished" />
</message>
<message>
<source>LoadEvent | MeansProgress | GenerationStep | PhraseEndTrial | CandidateEvent</source>
<translation type="unfinished" />
</message>
<message>
<source>Unexpected error ({cause}); see the log file for details.</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate a chorale</source>
<translation type="unfinished" />
</message>
<message>
<source>Write a melody and harmonise it</source>
<translation type="unfinished" />
</message>
<message>
<source>Open a file (MIDI, MusicXML, ABC)</source>
<translation type="unfinished" />
</message>
<message>
<source>Help &gt; First steps on the empty sheet shows this again.</source>
<translation type="unfinished" />
</message>
<message>
<source>First steps</source>
<translation type="unfinished" />
</message>
<message>
<source>What next?</source>
<translation type="unfinished" />
</message>
<message>
<source>Listen</source>
<translation type="unfinished" />
</message>
<message>
<source>Change a phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>Open the menu of a phrase, as a click on its bracket above the notes does</source>
<translation type="unfinished" />
</message>
<message>
<source>Export as MIDI, score or sound</source>
<translation type="unfinished" />
</message>
<message>
<source>Close</source>
<translation type="unfinished" />
</message>
<message>
<source>The card of the model cannot be read</source>
<translation type="unfinished" />
</message>
<message>
<source>A bundled model of the same name is used instead</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} is chosen in the form.</source>
<translation type="unfinished" />
</message>
<message>
<source>{sentence} {name} is chosen in the form instead.</source>
<translation type="unfinished" />
</message>
<message>
<source>The import was stopped; nothing was changed.</source>
<translation type="unfinished" />
</message>
<message>
<source>Import as {free}</source>
<translation type="unfinished" />
</message>
<message>
<source>Models (*.zip {card})</source>
<translation type="unfinished" />
</message>
<message>
<source>Import a f&amp;older…</source>
<translation type="unfinished" />
</message>
<message>
<source>Chosen in the form</source>
<translation type="unfinished" />
</message>
<message>
<source>Copy the SHA-256 of the weights</source>
<translation type="unfinished" />
</message>
<message>
<source>Card of the model</source>
<translation type="unfinished" />
</message>
<message>
<source>Stored in {folder}</source>
<translation type="unfinished" />
</message>
<message>
<source>Notes are being written: wait until they are finished, or stop them</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} does not write notes, so the form cannot use it</source>
<translation type="unfinished" />
</message>
<message>
<source>A model is being imported</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} was imported; the previous model of that name is in the trash.</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} was removed; it is kept in {folder}.</source>
<translation type="unfinished" />
</message>
<message>
<source>A model is being imported: wait until it is finished</source>
<translation type="unfinished" />
</message>
<message>
<source>Import a model</source>
<translation type="unfinished" />
</message>
<message>
<source>Import the new one as {free}, or replace the old one? Undo restores it.</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} was imported.</source>
<translation type="unfinished" />
</message>
<message>
<source>There is a model called {name} already.</source>
<translation type="unfinished" />
</message>
<message>
<source>It belongs to musicrel or is writing notes, so it cannot be replaced. Import the new one as {free}?</source>
<translation type="unfinished" />
</message>
<message>
<source>Models</source>
<translation type="unfinished" />
</message>
<message>
<source>Models write and rewrite the notes, on this computer. Drop the folder or the zip archive of a model here to import it.</source>
<translation type="unfinished" />
</message>
<message>
<source>Name it is chosen by</source>
<translation type="unfinished" />
</message>
<message>
<source>Task</source>
<translation type="unfinished" />
</message>
<message>
<source>Writes new pieces, rewrites parts of pieces, or ranks candidates</source>
<translation type="unfinished" />
</message>
<message>
<source>Family</source>
<translation type="unfinished" />
</message>
<message>
<source>Kind of model</source>
<translation type="unfinished" />
</message>
<message>
<source>Positions</source>
<translation type="unfinished" />
</message>
<message>
<source>How positions enter the model</source>
<translation type="unfinished" />
</message>
<message>
<source>Parameters</source>
<translation type="unfinished" />
</message>
<message>
<source>Number of trained parameters</source>
<translation type="unfinished" />
</message>
<message>
<source>Size of the weights on disk</source>
<translation type="unfinished" />
</message>
<message>
<source>Loss</source>
<translation type="unfinished" />
</message>
<message>
<source>Validation loss in nats per note; not comparable between families</source>
<translation type="unfinished" />
</message>
<message>
<source>Licence</source>
<translation type="unfinished" />
</message>
<message>
<source>Licence of the model</source>
<translation type="unfinished" />
</message>
<message>
<source>Installed</source>
<translation type="unfinished" />
</message>
<message>
<source>Shipped with musicrel, or imported by you</source>
<translation type="unfinished" />
</message>
<message>
<source>Added</source>
<translation type="unfinished" />
</message>
<message>
<source>Day of its installation</source>
<translation type="unfinished" />
</message>
<message>
<source>Add a model from a zip archive, or from the card.json in its folder</source>
<translation type="unfinished" />
</message>
<message>
<source>Add the model in a folder</source>
<translation type="unfinished" />
</message>
<message>
<source>Move the model to the trash of musicrel; Undo restores it</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose the model in the form</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Import…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Remove</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Use</source>
<translation type="unfinished" />
</message>
<message>
<source>Changes apply at once and to new windows.</source>
<translation type="unfinished" />
</message>
<message>
<source>{name} (not connected)</source>
<translation type="unfinished" />
</message>
<message>
<source>Looking for devices …</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose the folder</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Restore defaults</source>
<translation type="unfinished" />
</message>
<message>
<source>Folder for exports</source>
<translation type="unfinished" />
</message>
<message>
<source>Preferences</source>
<translation type="unfinished" />
</message>
<message>
<source>As the system</source>
<translation type="unfinished" />
</message>
<message>
<source>Light</source>
<translation type="unfinished" />
</message>
<message>
<source>Dark</source>
<translation type="unfinished" />
</message>
<message>
<source>All</source>
<translation type="unfinished" />
</message>
<message>
<source>Reduced: the playhead moves from beat to beat</source>
<translation type="unfinished" />
</message>
<message>
<source>An empty document</source>
<translation type="unfinished" />
</message>
<message>
<source>The last document</source>
<translation type="unfinished" />
</message>
<message>
<source>Score on two staves</source>
<translation type="unfinished" />
</message>
<message>
<source>Score on four staves</source>
<translation type="unfinished" />
</message>
<message>
<source>As last time</source>
<translation type="unfinished" />
</message>
<message>
<source>The system’s default device</source>
<translation type="unfinished" />
</message>
<message>
<source>Processor cores that models compute on; pieces do not depend on their number, except when torch writes them</source>
<translation type="unfinished" />
</message>
<message>
<source>Appearance</source>
<translation type="unfinished" />
</message>
<message>
<source>Export</source>
<translation type="unfinished" />
</message>
<message>
<source>Colours of the window</source>
<translation type="unfinished" />
</message>
<message>
<source>Te&amp;xt size</source>
<translation type="unfinished" />
</message>
<message>
<source>Size of all text, in percent of the system’s text size</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Motion</source>
<translation type="unfinished" />
</message>
<message>
<source>Movement on the screen while music plays</source>
<translation type="unfinished" />
</message>
<message>
<source>Processor or graphics card that models compute on</source>
<translation type="unfinished" />
</message>
<message>
<source>Co&amp;res</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Audio device</source>
<translation type="unfinished" />
</message>
<message>
<source>Device that plays the pieces</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Folder</source>
<translation type="unfinished" />
</message>
<message>
<source>Folder suggested by Export; empty: the one used last</source>
<translation type="unfinished" />
</message>
<message>
<source>F&amp;ormat</source>
<translation type="unfinished" />
</message>
<message>
<source>File type suggested by Export</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Open</source>
<translation type="unfinished" />
</message>
<message>
<source>Document that musicrel starts with</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Sheet</source>
<translation type="unfinished" />
</message>
<message>
<source>What a new window shows of a piece</source>
<translation type="unfinished" />
</message>
<message>
<source>there is no folder {path}: choose one that exists, or leave the field empty</source>
<translation type="unfinished" />
</message>
<message>
<source>this computer has no {name} device that musicrel can use: choose another one</source>
<translation type="unfinished" />
</message>
<message>
<source>Change keyboard shortcuts</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a command, click in the field below and press its new keys.</source>
<translation type="unfinished" />
</message>
<message>
<source>Search, such as “loop” or “Ctrl+”</source>
<translation type="unfinished" />
</message>
<message>
<source>New &amp;keys</source>
<translation type="unfinished" />
</message>
<message>
<source>N&amp;o keys</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Default</source>
<translation type="unfinished" />
</message>
<message>
<source>These are the default keys</source>
<translation type="unfinished" />
</message>
<message>
<source>The command has no keys</source>
<translation type="unfinished" />
</message>
<message>
<source>{keys} is the shortcut of “{command}”: choose other keys, or change that one first.</source>
<translation type="unfinished" />
</message>
<message>
<source>{keys} is used in texts, lists or note input: add Ctrl, or choose a function key.</source>
<translation type="unfinished" />
</message>
<message>
<source>{keys} opens menus and leads to fields: add Ctrl.</source>
<translation type="unfinished" />
</message>
<message>
<source>Menu</source>
<translation type="unfinished" />
</message>
<message>
<source>Command</source>
<translation type="unfinished" />
</message>
<message>
<source>Keys</source>
<translation type="unfinished" />
</message>
<message>
<source>Commands</source>
<translation type="unfinished" />
</message>
<message>
<source>No shortcut has “{text}” in its keys or its name.</source>
<translation type="unfinished" />
</message>
<message>
<source>By </source>
<translation type="unfinished" />
</message>
<message>
<source>{effect}, while candidates are shown</source>
<translation type="unfinished" />
</message>
<message>
<source>Keyboard shortcuts</source>
<translation type="unfinished" />
</message>
<message>
<source>Keys without Ctrl or Alt work while the view of their group has the focus.</source>
<translation type="unfinished" />
</message>
<message>
<source>Mapping[str, Sequence[Shortcut]]</source>
<translation type="unfinished" />
</message>
<message>
<source>Roll and score</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrases above the roll</source>
<translation type="unfinished" />
</message>
<message>
<source>Candidates and takes</source>
<translation type="unfinished" />
</message>
<message>
<source>Note input on or off</source>
<translation type="unfinished" />
</message>
<message>
<source>A to G</source>
<translation type="unfinished" />
</message>
<message>
<source>Write the note nearest to the one before</source>
<translation type="unfinished" />
</message>
<message>
<source>Write a rest</source>
<translation type="unfinished" />
</message>
<message>
<source>Sixteenth, eighth, quarter, half, whole</source>
<translation type="unfinished" />
</message>
<message>
<source>Dotted</source>
<translation type="unfinished" />
</message>
<message>
<source>Remove the note before the cursor</source>
<translation type="unfinished" />
</message>
<message>
<source>Left, Right</source>
<translation type="unfinished" />
</message>
<message>
<source>Move the cursor by a note</source>
<translation type="unfinished" />
</message>
<message>
<source>Home, End</source>
<translation type="unfinished" />
</message>
<message>
<source>Move the cursor to the beginning, or after the last note</source>
<translation type="unfinished" />
</message>
<message>
<source>Up, Down</source>
<translation type="unfinished" />
</message>
<message>
<source>Raise or lower the note just written by a semitone</source>
<translation type="unfinished" />
</message>
<message>
<source>Ctrl+Up, Ctrl+Down</source>
<translation type="unfinished" />
</message>
<message>
<source>The same by an octave</source>
<translation type="unfinished" />
</message>
<message>
<source>Tie it to another note of the chosen length</source>
<translation type="unfinished" />
</message>
<message>
<source>Page Up, Page Down</source>
<translation type="unfinished" />
</message>
<message>
<source>Write the voice above or below</source>
<translation type="unfinished" />
</message>
<message>
<source>Leave note input</source>
<translation type="unfinished" />
</message>
<message>
<source>Move the selection by a step</source>
<translation type="unfinished" />
</message>
<message>
<source>Select the voice above or below</source>
<translation type="unfinished" />
</message>
<message>
<source>Shift+Left, Shift+Right</source>
<translation type="unfinished" />
</message>
<message>
<source>Shorten or lengthen the selection</source>
<translation type="unfinished" />
</message>
<message>
<source>Shift+Up, Shift+Down</source>
<translation type="unfinished" />
</message>
<message>
<source>Add the voice above or below</source>
<translation type="unfinished" />
</message>
<message>
<source>Select or deselect a voice</source>
<translation type="unfinished" />
</message>
<message>
<source>Select nothing</source>
<translation type="unfinished" />
</message>
<message>
<source>Zoom in, zoom out, whole piece</source>
<translation type="unfinished" />
</message>
<message>
<source>Return to the sheet</source>
<translation type="unfinished" />
</message>
<message>
<source>Select a phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>Move the end of the phrase by a bar</source>
<translation type="unfinished" />
</message>
<message>
<source>Cadence and other choices</source>
<translation type="unfinished" />
</message>
<message>
<source>Show another candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>Select another take</source>
<translation type="unfinished" />
</message>
<message>
<source>Accept the candidate, use the take</source>
<translation type="unfinished" />
</message>
<message>
<source>Next candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>Previous candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>Accept the candidate</source>
<translation type="unfinished" />
</message>
<message>
<source>Back to the original</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Change…</source>
<translation type="unfinished" />
</message>
<message>
<source>Record a melody</source>
<translation type="unfinished" />
</message>
<message>
<source>Play to the metronome. After a count-in of one bar, notes appear on the roll, quantised to sixteenths; notes during the count-in become the pickup.</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop and keep the recording (Enter or Esc)</source>
<translation type="unfinished" />
</message>
<message>
<source>Stop and discard the recording</source>
<translation type="unfinished" />
</message>
<message>
<source>Chords use all four voices</source>
<translation type="unfinished" />
</message>
<message>
<source>A melody or chords</source>
<translation type="unfinished" />
</message>
<message>
<source>Beats in a bar; the first has a higher click</source>
<translation type="unfinished" />
</message>
<message>
<source>Quarters per minute, for the recording only</source>
<translation type="unfinished" />
</message>
<message>
<source>Play a note to test the keyboard</source>
<translation type="unfinished" />
</message>
<message>
<source>Received {pitch}</source>
<translation type="unfinished" />
</message>
<message>
<source>One note at a time, to be harmonised</source>
<translation type="unfinished" />
</message>
<message>
<source>Chords</source>
<translation type="unfinished" />
</message>
<message>
<source>Up to four notes at a time, which become the four voices</source>
<translation type="unfinished" />
</message>
<message>
<source>Record</source>
<translation type="unfinished" />
</message>
<message>
<source>Discard</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Keyboard</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Input</source>
<translation type="unfinished" />
</message>
<message>
<source>Position of the playhead: bar and beat</source>
<translation type="unfinished" />
</message>
<message>
<source>Time at the playhead and length of the piece, at this tempo and with fermatas as held</source>
<translation type="unfinished" />
</message>
<message>
<source>Quarters per minute</source>
<translation type="unfinished" />
</message>
<message>
<source>No sound</source>
<translation type="unfinished" />
</message>
<message>
<source>Tempo</source>
<translation type="unfinished" />
</message>
<message>
<source>Temp&amp;o</source>
<translation type="unfinished" />
</message>
<message>
<source>Master volume</source>
<translation type="unfinished" />
</message>
<message>
<source>all voices</source>
<translation type="unfinished" />
</message>
<message>
<source>the built-in one</source>
<translation type="unfinished" />
</message>
<message>
<source>SoundFont of {instruments} and {last}: {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Choose a SoundFont…</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Built-in SoundFont</source>
<translation type="unfinished" />
</message>
<message>
<source>Instrument of {owner}</source>
<translation type="unfinished" />
</message>
<message>
<source>Mute {}</source>
<translation type="unfinished" />
</message>
<message>
<source>Solo {}</source>
<translation type="unfinished" />
</message>
<message>
<source>Volume of {}</source>
<translation type="unfinished" />
</message>
<message>
<source>Pan of {}</source>
<translation type="unfinished" />
</message>
<message>
<source>{voice} is muted</source>
<translation type="unfinished" />
</message>
<message>
<source>Volume of the metronome</source>
<translation type="unfinished" />
</message>
<message>
<source>A bar of clicks before playback, and the beats missing before a pickup</source>
<translation type="unfinished" />
</message>
<message>
<source>No count</source>
<translation type="unfinished" />
</message>
<message>
<source>Count at start</source>
<translation type="unfinished" />
</message>
<message>
<source>Count always</source>
<translation type="unfinished" />
</message>
<message>
<source>Count-in</source>
<translation type="unfinished" />
</message>
<message>
<source>Metronome</source>
<translation type="unfinished" />
</message>
<message>
<source>Mixed</source>
<translation type="unfinished" />
</message>
<message>
<source>{voice}: click to lock against rewriting (Ctrl+Alt+{number})</source>
<translation type="unfinished" />
</message>
<message>
<source>{voice} is locked: click to unlock (Ctrl+Alt+{number})</source>
<translation type="unfinished" />
</message>
<message>
<source>Voices: {names}</source>
<translation type="unfinished" />
</message>
<message>
<source>Locked: {voices}</source>
<translation type="unfinished" />
</message>
<message>
<source>Drag its end to another bar; click for its cadence, to split or to join it</source>
<translation type="unfinished" />
</message>
<message>
<source>Click to select it or to rewrite its lower voices</source>
<translation type="unfinished" />
</message>
<message>
<source>Phrases of the next piece</source>
<translation type="unfinished" />
</message>
<message>
<source>No phrases: the model places them. Click to draw some as in Bach.</source>
<translation type="unfinished" />
</message>
<message>
<source>S&amp;elect this phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Rewrite the lower voices of this phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>All phrases as in &amp;Bach</source>
<translation type="unfinished" />
</message>
<message>
<source>Draw phrases and pickup from the seed</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Undo all changes of phrases</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;{kind} cadence	{label}</source>
<translation type="unfinished" />
</message>
<message>
<source>A&amp;ny cadence</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Split the phrase</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Join with the next one</source>
<translation type="unfinished" />
</message>
<message>
<source>Voice ranges</source>
<translation type="unfinished" />
</message>
<message>
<source>Click to place the playhead, drag to set the loop or move an end of it, double-click to select the bar; click the loop at the top to remove it</source>
<translation type="unfinished" />
</message>
<message>
<source>Locked against rewriting (Ctrl+K unlocks the selection)</source>
<translation type="unfinished" />
</message>
<message>
<source>Engraved score</source>
<translation type="unfinished" />
</message>
<message>
<source>About {name}</source>
<translation type="unfinished" />
</message>
<message>
<source>About the model</source>
<translation type="unfinished" />
</message>
<message>
<source>No model is selected.</source>
<translation type="unfinished" />
</message>
<message>
<source>no program opens {path}: open it in a file manager</source>
<translation type="unfinished" />
</message>
<message>
<source>Search in all guides (Ctrl+F)</source>
<translation type="unfinished" />
</message>
<message>
<source>Sections found</source>
<translation type="unfinished" />
</message>
<message>
<source>No guide has “{text}”.</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Back</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;User guide</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Command line</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Attention and positional schemes</source>
<translation type="unfinished" />
</message>
<message>
<source>E&amp;ffects and muted heads</source>
<translation type="unfinished" />
</message>
<message>
<source>T&amp;wo models side by side</source>
<translation type="unfinished" />
</message>
<message>
<source>For &amp;teachers</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Experiments</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Keyboard and screen readers</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Results</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;How it works</source>
<translation type="unfinished" />
</message>
<message>
<source>File f&amp;ormats</source>
<translation type="unfinished" />
</message>
<message>
<source>Reference of co&amp;mmands</source>
<translation type="unfinished" />
</message>
<message>
<source>Reference of &amp;Python</source>
<translation type="unfinished" />
</message>
<message>
<source>This guide is part of the source code of musicrel and is not installed</source>
<translation type="unfinished" />
</message>
<message>
<source>there are no web pages here: python packaging/build_docs.py makes them</source>
<translation type="unfinished" />
</message>
<message>
<source>About musicrel</source>
<translation type="unfinished" />
</message>
<message>
<source>musicrel {version}</source>
<translation type="unfinished" />
</message>
<message>
<source>A desktop studio for four-voice chorales, generated on this computer by transformers with and without relative attention.</source>
<translation type="unfinished" />
</message>
<message>
<source>Every piece that is generated, rewritten or harmonised is kept here as a take.</source>
<translation type="unfinished" />
</message>
<message>
<source>No take matches: choose “All takes”</source>
<translation type="unfinished" />
</message>
<message>
<source>Takes to show</source>
<translation type="unfinished" />
</message>
<message>
<source>Order of takes</source>
<translation type="unfinished" />
</message>
<message>
<source>Close the takes (Ctrl+T)</source>
<translation type="unfinished" />
</message>
<message>
<source>Open the takes: all pieces and candidates so far (Ctrl+T)</source>
<translation type="unfinished" />
</message>
<message>
<source>Takes  ·  {shown}</source>
<translation type="unfinished" />
</message>
<message>
<source>Takes</source>
<translation type="unfinished" />
</message>
<message>
<source>Generate or rewrite: both models get the same request.</source>
<translation type="unfinished" />
</message>
<message>
<source>{model} writes beside {other}</source>
<translation type="unfinished" />
</message>
<message>
<source>your notes</source>
<translation type="unfinished" />
</message>
<message>
<source>B has no notes yet</source>
<translation type="unfinished" />
</message>
<message>
<source>The pieces have different meters or pickups</source>
<translation type="unfinished" />
</message>
<message>
<source>Choose a second model under A/B first</source>
<translation type="unfinished" />
</message>
<message>
<source>B has no piece yet: generate or rewrite with both models first</source>
<translation type="unfinished" />
</message>
<message>
<source>Note input is on, where A and B are notes: leave it (Esc) first</source>
<translation type="unfinished" />
</message>
<message>
<source>The pieces do not differ</source>
<translation type="unfinished" />
</message>
<message>
<source>Took {bar} from B</source>
<translation type="unfinished" />
</message>
<message>
<source>The piece of B is the current one</source>
<translation type="unfinished" />
</message>
<message>
<source>Playing {side}: {model}</source>
<translation type="unfinished" />
</message>
<message>
<source>Export differences</source>
<translation type="unfinished" />
</message>
<message>
<source>{title}, {first} and {second}</source>
<translation type="unfinished" />
</message>
<message>
<source>Save both scores as PDF</source>
<translation type="unfinished" />
</message>
<message>
<source>{agreement}. Notes in both are faint.</source>
<translation type="unfinished" />
</message>
<message>
<source>Piano roll of model B</source>
<translation type="unfinished" />
</message>
<message>
<source>Take {bar}</source>
<translation type="unfinished" />
</message>
<message>
<source>More ▾</source>
<translation type="unfinished" />
</message>
<message>
<source>More about B</source>
<translation type="unfinished" />
</message>
<message>
<source>A note agrees if the other piece has one of the same voice, beginning, length and pitch; click to move the playhead to the first difference</source>
<translation type="unfinished" />
</message>
<message>
<source>Surprisal of each piece under both models: -ln p of all tokens divided by the number of notes</source>
<translation type="unfinished" />
</message>
<message>
<source>Close the message</source>
<translation type="unfinished" />
</message>
<message>
<source>and {} more</source>
<translation type="unfinished" />
</message>
<message>
<source>Cancel: {doing}</source>
<translation type="unfinished" />
</message>
<message>
<source>Message</source>
<translation type="unfinished" />
</message>
<message>
<source>notes are chosen among all</source>
<translation type="unfinished" />
</message>
<message>
<source>notes are chosen among the likeliest, {share:.0%} of the probability together</source>
<translation type="unfinished" />
</message>
<message>
<source>The same seed and settings give the same notes</source>
<translation type="unfinished" />
</message>
<message>
<source>New random seed (Ctrl+R)</source>
<translation type="unfinished" />
</message>
<message>
<source>{name}: {value}. Double-click to reset</source>
<translation type="unfinished" />
</message>
<message>
<source>Temperature</source>
<translation type="unfinished" />
</message>
<message>
<source>Pages</source>
<translation type="unfinished" />
</message>
<message>
<source>voice{n}</source>
<translation type="unfinished" />
</message>
<message>
<source>model{n}</source>
<translation type="unfinished" />
</message>
<message>
<source>Fusion</source>
<translation type="unfinished" />
</message>
<message>
<source>A line for each phrase
An empty line before the next verse

glo-ry  divides a word yourself
the~earth  puts two words on one note</source>
<translation type="unfinished" />
</message>
<message>
<source>Decides how words are divided into syllables</source>
<translation type="unfinished" />
</message>
<message>
<source>Text</source>
<translation type="unfinished" />
</message>
<message>
<source>Lines and their syllables</source>
<translation type="unfinished" />
</message>
<message>
<source>Line</source>
<translation type="unfinished" />
</message>
<message>
<source>Words</source>
<translation type="unfinished" />
</message>
<message>
<source>Syllables</source>
<translation type="unfinished" />
</message>
<message>
<source>Metre: {metre}</source>
<translation type="unfinished" />
</message>
<message>
<source>&amp;Language</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: it grows while it is read; try again</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: it is a device or a pipe, expected a file</source>
<translation type="unfinished" />
</message>
<message>
<source>cannot read {path}: {describe_os_error}</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} has more than {max_values:,} values, too many to be read</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid JSON: {msg} in line {lineno}, column {colno}</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid JSON: it is not UTF-8 text</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid JSON: it is nested too deeply</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid JSON: a number has too many digits</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid JSON</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid TOML: it is not UTF-8 text</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid TOML: {reason}</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid TOML: it is nested too deeply</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid TOML: a number has too many digits</source>
<translation type="unfinished" />
</message>
<message>
<source>{what} is not valid TOML</source>
<translation type="unfinished" />
</message>
<message>
<source>it decompresses to {size:,} bytes, more than {value:,}</source>
<translation type="unfinished" />
</message>
<message>
<source>an entry is no array</source>
<translation type="unfinished" />
</message>
<message>
<source>it is an archive of an unknown method of compression</source>
<translation type="unfinished" />
</message>
<message>
<source>it is {value} archive</source>
<translation type="unfinished" />
</message>
<message>
<source>it is a link, folder, device or pipe</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not a regular file ({kinds})</source>
<translation type="unfinished" />
</message>
<message>
<source>it has another name (a hard link), under which it would be changed</source>
<translation type="unfinished" />
</message>
<message>
<source>it is not valid JSON: {name} is not a JSON number</source>
<translation type="unfinished" />
</message>
<message>
<source>{problem}: a number has too many digits</source>
<translation type="unfinished" />
</message>
<message>
<source>{problem}: it is nested too deeply</source>
<translation type="unfinished" />
</message>
<message>
<source>{problem}: a text holds half of a surrogate pair, which is no character</source>
<translation type="unfinished" />
</message>
<message>
<source>a whole number</source>
<translation type="unfinished" />
</message>
<message>
<source>true or false</source>
<translation type="unfinished" />
</message>
<message>
<source>{where}: {name} is {shown}: expected {expected}</source>
<translation type="unfinished" />
</message>
<message>
<source>another value ({sub})</source>
<translation type="unfinished" />
</message>
<message>
<source>{where}: {value} has unknown entry {key!r}: it takes {join}</source>
<translation type="unfinished" />
</message>
</context>
</TS>
