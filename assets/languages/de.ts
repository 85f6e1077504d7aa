<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
<name>musicrel</name>
<message>
<source>All voices of the step before</source>
<translation>Alle Stimmen des vorigen Sechzehntels</translation>
</message>
<message>
<source>With relative attention, more weight is on the voices of the step before.</source>
<translation>Mit relativer Aufmerksamkeit liegt mehr Gewicht auf den Stimmen des vorigen Sechzehntels.</translation>
</message>
<message>
<source>Shared by these four voices alike</source>
<translation>Gleichmäßig auf diese vier verteilt</translation>
</message>
<message>
<source>With relative attention, all four voices of the step before get weight.</source>
<translation>Mit relativer Aufmerksamkeit erhalten alle vier Stimmen des vorigen Sechzehntels Gewicht.</translation>
</message>
<message>
<source>Phrase beginning, at cadences</source>
<translation>Phrasenanfang, an Kadenzen</translation>
</message>
<message>
<source>At cadences, relative attention puts more weight on the phrase beginning.</source>
<translation>An Kadenzen legt relative Aufmerksamkeit mehr Gewicht auf den Phrasenanfang.</translation>
</message>
<message>
<source>Phrase beginning above its second quarter</source>
<translation>Phrasenanfang gegenüber seinem zweiten Viertel</translation>
</message>
<message>
<source>At cadences, relative attention prefers the phrase beginning to the quarter after it.</source>
<translation>An Kadenzen zieht relative Aufmerksamkeit den Phrasenanfang dem Viertel danach vor.</translation>
</message>
<message>
<source>The last three events</source>
<translation>Die letzten drei Ereignisse</translation>
</message>
<message>
<source>Without relative attention, weight shrinks to the last three events.</source>
<translation>Ohne relative Aufmerksamkeit zieht sich das Gewicht auf die letzten drei Ereignisse zusammen.</translation>
</message>
<message>
<source>Growth of the last three events' share</source>
<translation>Zuwachs des Anteils der letzten drei Ereignisse</translation>
</message>
<message>
<source>Without relative attention, weight shrinks to the last three events in the course of a piece.</source>
<translation>Ohne relative Aufmerksamkeit zieht sich das Gewicht im Lauf eines Stücks auf die letzten drei Ereignisse zusammen.</translation>
</message>
<message>
<source>Repeated notes</source>
<translation>Wiederholte Noten</translation>
</message>
<message>
<source>Without relative attention, more notes repeat the pitch before.</source>
<translation>Ohne relative Aufmerksamkeit wiederholen mehr Noten den vorigen Ton.</translation>
</message>
<message>
<source>Longest stay on one pitch</source>
<translation>Längstes Verweilen auf einem Ton</translation>
</message>
<message>
<source>Without relative attention, a voice stays longer on one pitch.</source>
<translation>Ohne relative Aufmerksamkeit bleibt eine Stimme länger auf einem Ton.</translation>
</message>
<message>
<source>the corpus file is damaged ({reason}): install musicrel again</source>
<translation>die Datei mit den Chorälen ist beschädigt ({reason}): Installieren Sie musicrel neu</translation>
</message>
<message>
<source>C C# Db D D# Eb E F F# Gb G G# Ab A A# Bb B Cb</source>
<translation>C Cis Des D Dis Es E F Fis Ges G Gis As A Ais B H Ces</translation>
</message>
<message>
<source>C C# Db D D# Eb E F F# Gb G G# Ab A A# Bb B Cb</source>
<comment>minor</comment>
<translation>c cis des d dis es e f fis ges g gis as a ais b h ces</translation>
</message>
<message>
<source>{tonic} major</source>
<translation>{tonic}-Dur</translation>
</message>
<message>
<source>{tonic} minor</source>
<translation>{tonic}-Moll</translation>
</message>
<message>
<source>per 1,000 notes</source>
<translation>je 1.000 Noten</translation>
</message>
<message>
<source>% of steps</source>
<translation>% der Sechzehntel</translation>
</message>
<message>
<source>Parallel fifths</source>
<translation>Quintparallelen</translation>
</message>
<message>
<source>Two voices a fifth or twelfth apart move in the same direction to another fifth or twelfth.</source>
<translation>Zwei Stimmen im Abstand einer Quinte oder Duodezime gehen in gleicher Richtung in eine andere Quinte oder Duodezime.</translation>
</message>
<message>
<source>Parallel octaves</source>
<translation>Oktavparallelen</translation>
</message>
<message>
<source>Two voices one or more octaves apart move in the same direction to another octave or to a unison.</source>
<translation>Zwei Stimmen im Abstand einer oder mehrerer Oktaven gehen in gleicher Richtung in eine andere Oktave oder in einen Einklang.</translation>
</message>
<message>
<source>Parallel unisons</source>
<translation>Einklangsparallelen</translation>
</message>
<message>
<source>Two voices share one pitch and move together to another.</source>
<translation>Zwei Stimmen gehen aus einem Einklang gemeinsam in einen anderen.</translation>
</message>
<message>
<source>Fifths or octaves by contrary motion</source>
<translation>Antiparallele Quinten oder Oktaven</translation>
</message>
<message>
<source>Two voices a fifth or octave apart move in opposite directions to the same interval, an octave wider or narrower.</source>
<translation>Zwei Stimmen im Abstand einer Quinte oder Oktave gehen in Gegenbewegung in dasselbe Intervall, um eine Oktave weiter oder enger.</translation>
</message>
<message>
<source>Hidden fifths</source>
<translation>Verdeckte Quinten</translation>
</message>
<message>
<source>Soprano and bass move in the same direction to a fifth, the soprano by a leap.</source>
<translation>Sopran und Bass gehen in gleicher Richtung in eine Quinte, der Sopran mit einem Sprung.</translation>
</message>
<message>
<source>Hidden octaves</source>
<translation>Verdeckte Oktaven</translation>
</message>
<message>
<source>Soprano and bass move in the same direction to an octave, the soprano by a leap.</source>
<translation>Sopran und Bass gehen in gleicher Richtung in eine Oktave, der Sopran mit einem Sprung.</translation>
</message>
<message>
<source>Voice crossing</source>
<translation>Stimmkreuzung</translation>
</message>
<message>
<source>A voice sounds below the next lower voice.</source>
<translation>Eine Stimme klingt tiefer als die nächsttiefere.</translation>
</message>
<message>
<source>Overlap</source>
<translation>Stimmüberschneidung</translation>
</message>
<message>
<source>A voice is above the pitch the next higher voice just had, or below the one the next lower voice just had.</source>
<translation>Eine Stimme liegt höher als der Ton, den die nächsthöhere eben noch hatte, oder tiefer als der, den die nächsttiefere eben noch hatte.</translation>
</message>
<message>
<source>Wide spacing</source>
<translation>Zu großer Abstand</translation>
</message>
<message>
<source>Soprano and alto, or alto and tenor, are more than an octave apart.</source>
<translation>Sopran und Alt oder Alt und Tenor liegen mehr als eine Oktave auseinander.</translation>
</message>
<message>
<source>Out of range</source>
<translation>Außerhalb des Umfangs</translation>
</message>
<message>
<source>A voice is above or below its usual range.</source>
<translation>Eine Stimme liegt über oder unter ihrem üblichen Umfang.</translation>
</message>
<message>
<source>Leap beyond an octave</source>
<translation>Sprung über eine Oktave hinaus</translation>
</message>
<message>
<source>A voice leaps by more than an octave.</source>
<translation>Eine Stimme springt um mehr als eine Oktave.</translation>
</message>
<message>
<source>Awkward leap</source>
<translation>Unsanglicher Sprung</translation>
</message>
<message>
<source>A voice leaps by a tritone or a seventh; Bach's basses often do.</source>
<translation>Eine Stimme springt um einen Tritonus oder eine Septime; Bachs Bässe tun es oft.</translation>
</message>
<message>
<source>Unresolved leading tone</source>
<translation>Nicht aufgelöster Leitton</translation>
</message>
<message>
<source>At an authentic cadence in the key of the piece, soprano or bass leaves the leading tone and does not rise to the tonic.</source>
<translation>Bei einem authentischen Schluss in der Tonart des Stücks verlässt Sopran oder Bass den Leitton, ohne zum Grundton aufzusteigen.</translation>
</message>
<message>
<source>{} holds no rates of the rules ({}): install musicrel again</source>
<translation>{} enthält keine Häufigkeiten der Regeln ({}): Installieren Sie musicrel neu</translation>
</message>
<message>
<source>it lacks {rule!r}</source>
<translation>es fehlt {rule!r}</translation>
</message>
<message>
<source>a whole number {low} to {high}</source>
<translation>eine ganze Zahl von {low} bis {high}</translation>
</message>
<message>
<source>more than {low}, less than {high}</source>
<translation>mehr als {low}, weniger als {high}</translation>
</message>
<message>
<source>more than {low}, at most {high}</source>
<translation>mehr als {low}, höchstens {high}</translation>
</message>
<message>
<source>{low} to less than {high}</source>
<translation>{low} bis unter {high}</translation>
</message>
<message>
<source>{low} to {high}</source>
<translation>{low} bis {high}</translation>
</message>
<message>
<source> (off)</source>
<translation> (aus)</translation>
</message>
<message>
<source> quarter notes a minute</source>
<translation> Viertel pro Minute</translation>
</message>
<message>
<source> sixteenths, or auto</source>
<translation> Sechzehntel, oder auto</translation>
</message>
<message>
<source> percent of the tempo</source>
<translation> Prozent des Tempos</translation>
</message>
<message>
<source>: 0 is similar, 1 is different</source>
<translation>: 0 ist ähnlich, 1 ist anders</translation>
</message>
<message>
<source>, or auto</source>
<translation>, oder auto</translation>
</message>
<message>
<source> tokens</source>
<translation> Token</translation>
</message>
<message>
<source>, 1 for batches in random order</source>
<translation>, 1 für Batches in zufälliger Reihenfolge</translation>
</message>
<message>
<source> semitones</source>
<translation> Halbtöne</translation>
</message>
<message>
<source>, in GB</source>
<translation>, in GB</translation>
</message>
<message>
<source>{name} is {value}: expected {known}</source>
<translation>{name} ist {value}: erwartet wird {known}</translation>
</message>
<message>
<source>a number of thousands of digits</source>
<translation>eine Zahl mit Tausenden von Ziffern</translation>
</message>
<message>
<source>Soprano</source>
<translation>Sopran</translation>
</message>
<message>
<source>Alto</source>
<translation>Alt</translation>
</message>
<message>
<source>Tenor</source>
<translation>Tenor</translation>
</message>
<message>
<source>Bass</source>
<translation>Bass</translation>
</message>
<message>
<source>soprano</source>
<translation>Sopran</translation>
</message>
<message>
<source>alto</source>
<translation>Alt</translation>
</message>
<message>
<source>tenor</source>
<translation>Tenor</translation>
</message>
<message>
<source>bass</source>
<translation>Bass</translation>
</message>
<message>
<source>unknown meter {meter}: expected 1 to 32 over 1, 2, 4, 8 or 16, as in 3/4</source>
<translation>unbekannte Taktart {meter}: erwartet wird 1 bis 32 über 1, 2, 4, 8 oder 16, wie in 3/4</translation>
</message>
<message>
<source>unknown meter {text!r}: expected one as in 4/4 or 3/4</source>
<translation>unbekannte Taktart {text!r}: erwartet wird eine wie 4/4 oder 3/4</translation>
</message>
<message>
<source>{voice}, verse {verse}, step {step}: the syllable is {text!r}: expected one line without spaces around it</source>
<translation>{voice}, Strophe {verse}, Sechzehntel {step}: die Silbe ist {text!r}: erwartet wird eine Zeile ohne Leerzeichen am Anfang und Ende</translation>
</message>
<message>
<source>pickup is {steps} steps: expected 0 to {most}, less than a bar of {meter}</source>
<translation>der Auftakt hat {steps} Sechzehntel: erwartet werden 0 bis {most}, weniger als ein {meter}-Takt</translation>
</message>
<message>
<source>unknown key {key}: expected a tonic A to G with # or b and major or minor, as in 'F# minor'</source>
<translation>unbekannte Tonart {key}: erwartet wird ein Grundton A bis G mit # oder b und major oder minor, wie in „F# minor“</translation>
</message>
<message>
<source>{voice}, verse {verse}, step {step}: two syllables, {one!r} and {other!r}: expected one</source>
<translation>{voice}, Strophe {verse}, Sechzehntel {step}: zwei Silben, {one!r} und {other!r}: erwartet wird eine</translation>
</message>
<message>
<source>step</source>
<translation>Schritt</translation>
</message>
<message>
<source>steps</source>
<translation>Schritte</translation>
</message>
<message>
<source>token</source>
<translation>Token</translation>
</message>
<message>
<source>tokens</source>
<translation>Token</translation>
</message>
<message>
<source>run</source>
<translation>Lauf</translation>
</message>
<message>
<source>runs</source>
<translation>Läufe</translation>
</message>
<message>
<source>{start}... ({n:,} digits)</source>
<translation>{start}... ({n:,} Ziffern)</translation>
</message>
<message>
<source>the {split} split of {name!r} is empty ({read}): {advice}</source>
<translation>der Teil {split} von {name!r} ist leer ({read}): {advice}</translation>
</message>
<message>
<source>unknown data {source!r}: expected 'chorales', 'jsb:FILE', 'folder:PATH', 'hymns:FILE' or 'chorales+hymns:FILE', for a classifier 'bytes:KIND'</source>
<translation>unbekannte Daten {source!r}: erwartet wird 'chorales', 'jsb:FILE', 'folder:PATH', 'hymns:FILE' oder 'chorales+hymns:FILE', für einen Klassifikator 'bytes:KIND'</translation>
</message>
<message>
<source>folder: names no folder: expected folder:PATH, the folder of your pieces</source>
<translation>folder: nennt keinen Ordner: erwartet wird folder:PATH, der Ordner Ihrer Stücke</translation>
</message>
<message>
<source>there are {train} pieces for training, {valid} for validation and {test} for the test: to teach a model, at least {least} are needed; add about {more} more pieces</source>
<translation>es gibt {train} Stücke für das Training, {valid} für die Validierung und {test} für den Test: Um einem Modell etwas beizubringen, sind mindestens {least} nötig; fügen Sie etwa {more} Stücke hinzu</translation>
</message>
<message>
<source>at least one piece is needed</source>
<translation>mindestens ein Stück ist nötig</translation>
</message>
<message>
<source>; its notes decide where a piece goes, one in ten to valid and one to test</source>
<translation>; die Noten entscheiden, wohin ein Stück kommt: eins von zehn nach valid, eins nach test</translation>
</message>
<message>
<source>, or a window that is no longer</source>
<translation>, oder ein Fenster, das nicht länger ist</translation>
</message>
<message>
<source>windows have</source>
<translation>Fenster haben</translation>
</message>
<message>
<source>, or measured = "window" in [data]</source>
<translation>, oder measured = "window" in [data]</translation>
</message>
<message>
<source>the longest piece that is measured has</source>
<translation>das längste gemessene Stück hat</translation>
</message>
<message>
<source>scheme {scheme!r} has positions for {reached:,} tokens, but {what} {length:,}: expected its option {option} to be {rows} or more</source>
<translation>das Positionsverfahren {scheme!r} hat Positionen für {reached:,} Token, aber {what} {length:,}: erwartet wird für seine Option {option} mindestens {rows}</translation>
</message>
<message>
<source>another file holds the same piece</source>
<translation>eine andere Datei enthält dasselbe Stück</translation>
</message>
<message>
<source>for training</source>
<translation>für das Training</translation>
</message>
<message>
<source>for validation</source>
<translation>für die Validierung</translation>
</message>
<message>
<source>for the test</source>
<translation>für den Test</translation>
</message>
<message>
<source>A study needs some in each part: add more pieces.</source>
<translation>Eine Studie braucht in jedem Teil Stücke: Fügen Sie welche hinzu.</translation>
</message>
<message>
<source>Not used: {reason}</source>
<translation>Nicht verwendet: {reason}</translation>
</message>
<message>
<source>moved {semitones:+d} semitones</source>
<translation>um {semitones:+d} Halbtöne transponiert</translation>
</message>
<message>
<source>{taken} of {files} files can be used: {named}.</source>
<translation>{taken} von {files} Dateien sind brauchbar: {named}.</translation>
</message>
<message>
<source>Not used: {reason}.</source>
<translation>Nicht verwendet: {reason}.</translation>
</message>
<message>
<source>moved {semitones:+d} semitones: {file}</source>
<translation>um {semitones:+d} Halbtöne transponiert: {file}</translation>
</message>
<message>
<source>refused {file}: {reason}</source>
<translation>abgelehnt: {file}: {reason}</translation>
</message>
<message>
<source>{taken} of {files} files used: {sizes}</source>
<translation>{taken} von {files} Dateien verwendet: {sizes}</translation>
</message>
<message>
<source>; {equal} with the same piece as another file</source>
<translation>; {equal} mit demselben Stück wie eine andere Datei</translation>
</message>
<message>
<source>{folder} holds no piece that can be used: {reason}</source>
<translation>{folder} enthält kein brauchbares Stück: {reason}</translation>
</message>
<message>
<source>read {folder}</source>
<translation>Lesen von {folder}</translation>
</message>
<message>
<source>there is no folder {folder}: expected one with pieces</source>
<translation>es gibt keinen Ordner {folder}: erwartet wird einer mit Stücken</translation>
</message>
<message>
<source>{folder} holds {files:,} files: expected at most {most:,}</source>
<translation>{folder} enthält {files:,} Dateien: erwartet werden höchstens {most:,}</translation>
</message>
<message>
<source>it has no notes</source>
<translation>die Datei hat keine Noten</translation>
</message>
<message>
<source>it spans MIDI {low} to {high}, but the range of the models is {span} semitones</source>
<translation>es reicht von MIDI {low} bis {high}, der Umfang der Modelle beträgt aber {span} Halbtöne</translation>
</message>
<message>
<source>no key</source>
<translation>keine Tonart</translation>
</message>
<message>
<source>bar</source>
<translation>Takt</translation>
</message>
<message>
<source>bars</source>
<translation>Takte</translation>
</message>
<message>
<source>voice</source>
<translation>Stimme</translation>
</message>
<message>
<source>voices</source>
<translation>Stimmen</translation>
</message>
<message>
<source>, and {number:,} more</source>
<translation>, dazu {number:,} weitere</translation>
</message>
<message>
<source>expected files that end in {suffixes}</source>
<translation>erwartet werden Dateien mit der Endung {suffixes}</translation>
</message>
<message>
<source>{number} refused, the first ({file}) since {reason}</source>
<translation>{number} abgelehnt, die erste ({file}), denn {reason}</translation>
</message>
<message>
<source>{meaning}: shuffling the input changes predictions by {shuffled}, reversing it by {reversed} (total variation, 0 to 1)</source>
<translation>{meaning}: Mischen der Eingabe ändert die Vorhersagen um {shuffled}, Umkehren um {reversed} (totale Variation, 0 bis 1)</translation>
</message>
<message>
<source>predictions depend on the input</source>
<translation>Die Vorhersagen hängen von der Eingabe ab</translation>
</message>
<message>
<source>predictions are nearly uniform</source>
<translation>Die Vorhersagen sind fast gleichverteilt</translation>
</message>
<message>
<source>predictions are the same everywhere</source>
<translation>Die Vorhersagen sind überall gleich</translation>
</message>
<message>
<source>{meaning}: their entropy is {entropy:.2f} of at most {most:.2f} nats, their distance from the mean prediction {spread:.2f} (total variation, 0 to 1)</source>
<translation>{meaning}: Ihre Entropie beträgt {entropy:.2f} von höchstens {most:.2f} Nat, ihr Abstand von der mittleren Vorhersage {spread:.2f} (totale Variation, 0 bis 1)</translation>
</message>
<message>
<source>all sequences have one length: none is padded</source>
<translation>Alle Folgen sind gleich lang: Keine ist aufgefüllt</translation>
</message>
<message>
<source>tokens attend to padding with a weight of at most {most:.2g}; it must be 0</source>
<translation>Auf Fülltoken liegt ein Gewicht von höchstens {most:.2g}; es muss 0 sein</translation>
</message>
<message>
<source>every layer has one head: none can collapse</source>
<translation>Jede Schicht hat nur einen Kopf: Keine Köpfe können sich gleichen</translation>
</message>
<message>
<source>the heads of layer {layer} are the most alike{alike}: their mean distance is {least:.2f} (total variation, 0 to 1)</source>
<translation>Die Köpfe der Schicht {layer} gleichen sich am meisten{alike}: Ihr mittlerer Abstand beträgt {least:.2f} (totale Variation, 0 bis 1)</translation>
</message>
<message>
<source>, nearly the same</source>
<translation>, fast ganz</translation>
</message>
<message>
<source>queries and keys of variance 1 give scores of variance {farthest:.2f}; about 1 is expected</source>
<translation>Queries und Keys der Varianz 1 ergeben Scores der Varianz {farthest:.2f}; erwartet wird etwa 1</translation>
</message>
<message>
<source>the model classifies whole sequences: there is no loss by position</source>
<translation>Das Modell klassifiziert ganze Folgen: Es gibt keinen Verlust je Position</translation>
</message>
<message>
<source>longer sequences are refused: {reason}</source>
<translation>Längere Folgen werden abgelehnt: {reason}</translation>
</message>
<message>
<source>no piece is longer than the trained {trained:,} tokens</source>
<translation>Kein Stück ist länger als die trainierten {trained:,} Token</translation>
</message>
<message>
<source>the loss is {beyond:.3f} nats/token beyond the trained {trained:,} tokens, and {inside:.3f} in their second half</source>
<translation>Der Verlust beträgt {beyond:.3f} Nat/Token jenseits der trainierten {trained:,} Token und {inside:.3f} in deren zweiter Hälfte</translation>
</message>
<message>
<source>the model is not causal: it has no cache</source>
<translation>Das Modell ist nicht kausal: Es hat keinen Cache</translation>
</message>
<message>
<source>logits with and without the cache differ by at most {difference:.1e} over {tokens} tokens</source>
<translation>Die Logits mit und ohne Cache unterscheiden sich über {tokens} Token um höchstens {difference:.1e}</translation>
</message>
<message>
<source>the model is not causal: no future is masked</source>
<translation>Das Modell ist nicht kausal: Keine Zukunft wird verdeckt</translation>
</message>
<message>
<source>changing later tokens changes earlier logits by at most {most:.2g}; it must be 0</source>
<translation>Andere spätere Token ändern frühere Logits um höchstens {most:.2g}; es muss 0 sein</translation>
</message>
<message>
<source>the class does not depend on order, as the task may not either</source>
<translation>Die Klasse hängt nicht von der Reihenfolge ab, die Aufgabe vielleicht auch nicht</translation>
</message>
<message>
<source>predictions do not depend on order</source>
<translation>Die Vorhersagen hängen nicht von der Reihenfolge ab</translation>
</message>
<message>
<source>predictions depend on distances, but not on direction</source>
<translation>Die Vorhersagen hängen von Abständen ab, aber nicht von der Richtung</translation>
</message>
<message>
<source>, through its mask alone</source>
<translation>, allein durch die Maske</translation>
</message>
<message>
<source>predictions depend on order{alone}</source>
<translation>Die Vorhersagen hängen von der Reihenfolge ab{alone}</translation>
</message>
<message>
<source>{entry} is {value!r}: expected one of {words}</source>
<translation>{entry} ist {value!r}: erwartet wird eins von {words}</translation>
</message>
<message>
<source>stop_gain is {gain:g} and has no effect without stop_after: set the number of evaluations after which a run stops, or stop_gain = 0</source>
<translation>stop_gain ist {gain:g} und wirkt nicht ohne stop_after: Geben Sie an, nach wie vielen Auswertungen ein Lauf stoppt, oder stop_gain = 0</translation>
</message>
<message>
<source>batch x accumulate x buckets is {sequences:,}: expected at most {most:,} sequences at once</source>
<translation>batch x accumulate x buckets ergibt {sequences:,}: erwartet werden höchstens {most:,} Folgen auf einmal</translation>
</message>
<message>
<source>family is {family!r} and the data are {source!r}: expected family 'classifier' for '{bytes}source', '{bytes}honest' or '{bytes}single' and for no other</source>
<translation>die Familie ist {family!r}, die Daten sind {source!r}: erwartet wird die Familie 'classifier' für '{bytes}source', '{bytes}honest' oder '{bytes}single' und für keine anderen</translation>
</message>
<message>
<source>expected vocabulary 'articulated' (it is {vocabulary!r}), a window that is a multiple of {least} tokens ({window})</source>
<translation>erwartet wird das Vokabular 'articulated' (es ist {vocabulary!r}), ein Fenster, das ein Vielfaches von {least} Token ist ({window})</translation>
</message>
<message>
<source>family 'encoder_decoder' encodes given whole steps: {expected}, a condition 'given', and a mode such as 'ahead' ({mode!r})</source>
<translation>die Familie 'encoder_decoder' kodiert gegebene ganze Zeitschritte: {expected}, eine Bedingung 'given' und ein Modus wie 'ahead' ({mode!r})</translation>
</message>
<message>
<source>family 'infill' reads whole steps: {expected}, no condition 'voice', and a mode other than 'published' and 'time' ({mode!r})</source>
<translation>die Familie 'infill' liest ganze Zeitschritte: {expected}, keine Bedingung 'voice' und ein anderer Modus als 'published' und 'time' ({mode!r})</translation>
</message>
<message>
<source>{path} is damaged</source>
<translation>{path} ist beschädigt</translation>
</message>
<message>
<source>{folder} is of format {name!r}, expected {expected}: choose another folder</source>
<translation>{folder} hat das Format {name!r}, erwartet wird {expected}: Wählen Sie einen anderen Ordner</translation>
</message>
<message>
<source>{folder} is of format version {found!r}, this program reads {version}: update musicrel to use it</source>
<translation>{folder} hat die Formatversion {found!r}, dieses Programm liest {version}: Aktualisieren Sie musicrel</translation>
</message>
<message>
<source>{folder} is of format version {found!r}, this program reads {version}: start it again in another folder</source>
<translation>{folder} hat die Formatversion {found!r}, dieses Programm liest {version}: Starten Sie in einem anderen Ordner neu</translation>
</message>
<message>
<source>{path} is damaged: {reason}</source>
<translation>{path} ist beschädigt: {reason}</translation>
</message>
<message>
<source>{path} is damaged: expected a JSON object</source>
<translation>{path} ist beschädigt: erwartet wird ein JSON-Objekt</translation>
</message>
<message>
<source>{number} rows: {named}.
Time and memory are measured without training.</source>
<translation>{number} Zeilen: {named}.
Zeit und Speicher werden ohne Training gemessen.</translation>
</message>
<message>
<source>No time estimate: this computer has no run of this size yet. The remaining time is shown while it runs.</source>
<translation>Keine Schätzung der Dauer: Auf diesem Computer gibt es noch keinen Lauf dieser Größe. Die Restzeit wird während der Studie angezeigt.</translation>
</message>
<message>
<source>About {duration} of training, estimated from earlier runs of this size or the budget, plus evaluations.</source>
<translation>Etwa {duration} Training, geschätzt nach früheren Läufen dieser Größe oder dem Budget, dazu die Auswertungen.</translation>
</message>
<message>
<source>short run</source>
<translation>kurzer Lauf</translation>
</message>
<message>
<source>short runs</source>
<translation>kurze Läufe</translation>
</message>
<message>
<source>{trials} to choose learning rates, then </source>
<translation>{trials} zur Wahl der Lernraten, dann </translation>
</message>
<message>
<source>{number} arms of {least:,} to {most:,} parameters</source>
<translation>{number} Varianten mit {least:,} bis {most:,} Parametern</translation>
</message>
<message>
<source>parameter</source>
<translation>Parameter</translation>
</message>
<message>
<source>parameters</source>
<translation>Parameter</translation>
</message>
<message>
<source>Time not known yet</source>
<translation>Dauer noch unbekannt</translation>
</message>
<message>
<source>About {duration} of training</source>
<translation>Etwa {duration} Training</translation>
</message>
<message>
<source>{arm} as L^{power:.2f}</source>
<translation>{arm} wie L^{power:.2f}</translation>
</message>
<message>
<source>memory grows with the sequence length L: {powers}</source>
<translation>der Speicher wächst mit der Länge L der Folge: {powers}</translation>
</message>
<message>
<source>no row is measured yet</source>
<translation>noch keine Zeile ist gemessen</translation>
</message>
<message>
<source>Peak memory</source>
<translation>Spitzenspeicher</translation>
</message>
<message>
<source>Time</source>
<translation>Zeit</translation>
</message>
<message>
<source>growth</source>
<translation>Wachstum</translation>
</message>
<message>
<source>{value} (estimated)</source>
<translation>{value} (geschätzt)</translation>
</message>
<message>
<source>nats/note</source>
<translation>Nat/Note</translation>
</message>
<message>
<source>nats/sequence</source>
<translation>Nat/Folge</translation>
</message>
<message>
<source>nats/token</source>
<translation>Nat/Token</translation>
</message>
<message>
<source>pieces</source>
<translation>Stücke</translation>
</message>
<message>
<source>sequences</source>
<translation>Folgen</translation>
</message>
<message>
<source>read whole</source>
<translation>ganz gelesen</translation>
</message>
<message>
<source>read in each arm's own window</source>
<translation>im Fenster der jeweiligen Variante gelesen</translation>
</message>
<message>
<source>read from the second note to the end of the window</source>
<translation>von der zweiten Note bis zum Fensterende gelesen</translation>
</message>
<message>
<source>the remaining runs of this study</source>
<translation>die übrigen Läufe dieser Studie</translation>
</message>
<message>
<source>{first}, then {then}</source>
<translation>{first}, danach {then}</translation>
</message>
<message>
<source>a study like this one with a larger budget</source>
<translation>eine Studie wie diese mit größerem Budget</translation>
</message>
<message>
<source>a study like this one with 3 seeds or more and a larger budget</source>
<translation>eine Studie wie diese mit mindestens 3 Startwerten und größerem Budget</translation>
</message>
<message>
<source>a study like this one with 3 seeds or more</source>
<translation>eine Studie wie diese mit mindestens 3 Startwerten</translation>
</message>
<message>
<source>the runs of {first} and {second} were evaluated on different pieces: expected the same data in both arms</source>
<translation>die Läufe von {first} und {second} wurden mit verschiedenen Stücken ausgewertet: erwartet werden in beiden Varianten dieselben Daten</translation>
</message>
<message>
<source>the loss of {runs} is still falling at the end</source>
<translation>bei {runs} fällt der Verlust am Ende noch</translation>
</message>
<message>
<source>{runs} were evaluated fewer than three times, too few to see whether the loss is still falling</source>
<translation>bei {runs} gab es weniger als drei Auswertungen, zu wenige, um zu sehen, ob der Verlust noch fällt</translation>
</message>
<message>
<source>the loss of {runs} rises at the end</source>
<translation>bei {runs} steigt der Verlust am Ende</translation>
</message>
<message>
<source>whether the loss of {runs} is still falling at the end is not recorded</source>
<translation>ob der Verlust bei {runs} am Ende noch fällt, ist nicht festgehalten</translation>
</message>
<message>
<source>{number} of {all} runs</source>
<translation>{number} von {all} Läufen</translation>
</message>
<message>
<source>evaluating</source>
<translation>wertet aus</translation>
</message>
<message>
<source>running</source>
<translation>läuft</translation>
</message>
<message>
<source>paused</source>
<translation>pausiert</translation>
</message>
<message>
<source>stopped</source>
<translation>angehalten</translation>
</message>
<message>
<source>cancelled</source>
<translation>abgebrochen</translation>
</message>
<message>
<source>interrupted</source>
<translation>unterbrochen</translation>
</message>
<message>
<source>queued</source>
<translation>wartet</translation>
</message>
<message>
<source>finished</source>
<translation>fertig</translation>
</message>
<message>
<source>finished, diverged</source>
<translation>fertig, divergiert</translation>
</message>
<message>
<source>finished early</source>
<translation>früh fertig</translation>
</message>
<message>
<source>, still falls</source>
<translation>, fällt noch</translation>
</message>
<message>
<source>, rises</source>
<translation>, steigt</translation>
</message>
<message>
<source>Compared variant</source>
<translation>Verglichene Variante</translation>
</message>
<message>
<source>Seed of initialisation, data order and dropout</source>
<translation>Startwert für Initialisierung, Reihenfolge der Daten und Dropout</translation>
</message>
<message>
<source>State of the run, and whether its validation loss was level at the end</source>
<translation>Zustand des Laufs und ob sein Validierungsverlust am Ende gleich blieb</translation>
</message>
<message>
<source>Best validation loss so far; lower is better</source>
<translation>Bisher bester Validierungsverlust; kleiner ist besser</translation>
</message>
<message>
<source>Test loss, measured once at the end; lower is better</source>
<translation>Testverlust, einmal am Ende gemessen; kleiner ist besser</translation>
</message>
<message>
<source>Training tokens per second</source>
<translation>Trainingstoken pro Sekunde</translation>
</message>
<message>
<source>Training time, without evaluations</source>
<translation>Trainingszeit ohne Auswertungen</translation>
</message>
<message>
<source>Peak memory of its process</source>
<translation>Größter Speicherbedarf seines Prozesses</translation>
</message>
<message>
<source>Trainable parameters of the model</source>
<translation>Trainierbare Parameter des Modells</translation>
</message>
<message>
<source>its own samples, calibration round {round} of {rounds}</source>
<translation>eigene Stücke, Kalibrierung {round} von {rounds}</translation>
</message>
<message>
<source>{reason}: resuming from step {step} with {rate_factor:g} of the learning rate</source>
<translation>{reason}: weiter ab Schritt {step} mit dem {rate_factor:g}-Fachen der Lernrate</translation>
</message>
<message>
<source>out of memory: each batch is split into {parts} parts</source>
<translation>zu wenig Speicher: Jeder Batch wird in {parts} Teile zerlegt</translation>
</message>
<message>
<source>stopped early: {reason}</source>
<translation>vorzeitig beendet: {reason}</translation>
</message>
<message>
<source>seed</source>
<translation>Startwert</translation>
</message>
<message>
<source>seeds</source>
<translation>Startwerte</translation>
</message>
<message>
<source>only {seeds}; at least {least} are needed</source>
<translation>nur {seeds}; nötig sind mindestens {least}</translation>
</message>
<message>
<source>which of {first} and {second} is better</source>
<translation>zwischen {first} und {second}</translation>
</message>
<message>
<source>{first} minus {second}</source>
<translation>{first} minus {second}</translation>
</message>
<message>
<source>no significant difference between {first} and {second}: mean difference {figures}; detecting {least:g} {unit} would take {remedy}</source>
<translation>kein signifikanter Unterschied zwischen {first} und {second}: mittlere Differenz {figures}; um {least:g} {unit} nachzuweisen, wären {remedy} nötig</translation>
</message>
<message>
<source>the difference between {first} and {second} is negligible: mean difference {figures}</source>
<translation>der Unterschied zwischen {first} und {second} ist vernachlässigbar: mittlere Differenz {figures}</translation>
</message>
<message>
<source>{better} is better than {worse}: mean difference {difference:.3f} {unit}, 95 % confidence interval {low:.3f} to {high:.3f} ({sample})</source>
<translation>{better} ist besser als {worse}: mittlere Differenz {difference:.3f} {unit}, 95-%-Konfidenzintervall {low:.3f} bis {high:.3f} ({sample})</translation>
</message>
<message>
<source>with one seed the interval covers {things} only, not seeds</source>
<translation>bei nur einem Startwert erfasst das Intervall die Streuung der {things}, nicht die der Startwerte</translation>
</message>
<message>
<source>{difference} {unit}, 95 % confidence interval {low} to {high} ({sample})</source>
<translation>{difference} {unit}, 95-%-Konfidenzintervall {low} bis {high} ({sample})</translation>
</message>
<message>
<source>about {more:,} more seeds</source>
<translation>etwa {more:,} weitere Startwerte</translation>
</message>
<message>
<source>no more seeds</source>
<translation>keine weiteren Startwerte</translation>
</message>
<message>
<source>about {needed:,} {things}</source>
<translation>etwa {needed:,} {things}</translation>
</message>
<message>
<source>more seeds and more {things}</source>
<translation>mehr Startwerte und mehr {things}</translation>
</message>
<message>
<source>Not enough to say</source>
<translation>Noch kein Urteil</translation>
</message>
<message>
<source>Next: </source>
<translation>Als Nächstes: </translation>
</message>
<message>
<source>This run only: </source>
<translation>Nur dieser Lauf: </translation>
</message>
<message>
<source>The study works. </source>
<translation>Die Studie funktioniert. </translation>
</message>
<message>
<source>Too short to say which is better</source>
<translation>Zu kurz für ein Urteil</translation>
</message>
<message>
<source>Too short and too few seeds ({seeds}) to say which is better</source>
<translation>Zu kurz und zu wenige Startwerte ({seeds}) für ein Urteil</translation>
</message>
<message>
<source>Too few seeds ({seeds}) to say which is better</source>
<translation>Zu wenige Startwerte ({seeds}) für ein Urteil</translation>
</message>
<message>
<source>; run {step} to find out</source>
<translation>; Aufschluss gibt: {step}</translation>
</message>
<message>
<source>learning_rates is {rates}: expected at least two different numbers, {allowed}, as in [1e-3, 2e-3, 4e-3]</source>
<translation>die Lernraten sind {rates}: erwartet werden mindestens zwei verschiedene Zahlen, {allowed}, wie [1e-3, 2e-3, 4e-3]</translation>
</message>
<message>
<source>name is {name!r}: expected up to 40 letters, digits, dots and dashes</source>
<translation>der Name ist {name!r}: erwartet werden bis zu 40 Buchstaben, Ziffern, Punkte und Bindestriche</translation>
</message>
<message>
<source>there are fewer than two [[arms]]: expected at least two</source>
<translation>es gibt weniger als zwei Varianten: erwartet werden mindestens zwei</translation>
</message>
<message>
<source>arm {name!r} sets learning_rate, which [search] chooses: remove one of them</source>
<translation>Variante {name!r} setzt learning_rate, die [search] wählt: Entfernen Sie eines von beiden</translation>
</message>
<message>
<source>it has {runs:,} runs: expected at most {most:,}, use fewer arms or seeds</source>
<translation>sie hat {runs:,} Läufe: erwartet werden höchstens {most:,}; nehmen Sie weniger Varianten oder Startwerte</translation>
</message>
<message>
<source>{where}, arm {name!r}</source>
<translation>{where}, Variante {name!r}</translation>
</message>
<message>
<source>the budget is {amount!r} {unit}: expected {allowed}, a whole number</source>
<translation>das Budget ist {amount!r} {unit}: erwartet wird {allowed}, eine ganze Zahl</translation>
</message>
<message>
<source>the budget is {amount!r} {unit}: expected {allowed}</source>
<translation>das Budget ist {amount!r} {unit}: erwartet wird {allowed}</translation>
</message>
<message>
<source>seeds is {shown}: expected distinct whole numbers, as in [0, 1, 2], or a range of at most {most}, as in "0-4"</source>
<translation>die Startwerte sind {shown}: erwartet werden verschiedene ganze Zahlen wie [0, 1, 2] oder ein Bereich von höchstens {most} wie "0-4"</translation>
</message>
<message>
<source>a seed</source>
<translation>ein Startwert</translation>
</message>
<message>
<source>, 95 % interval {low:.3f} to {high:.3f}</source>
<translation>, 95-%-Intervall {low:.3f} bis {high:.3f}</translation>
</message>
<message>
<source>{loss:.3f} at {place}</source>
<translation>{loss:.3f} bei {place}</translation>
</message>
<message>
<source>{name}, {seeds}, {unit}; first {first}; lowest {lowest}; last {last}{between}</source>
<translation>{name}, {seeds}, {unit}; zuerst {first}; kleinster {lowest}; zuletzt {last}{between}</translation>
</message>
<message>
<source>{title}: no evaluation yet</source>
<translation>{title}: noch keine Auswertung</translation>
</message>
<message>
<source>{unit} on validation</source>
<translation>{unit}, Validierung</translation>
</message>
<message>
<source>{unit} on training</source>
<translation>{unit}, Training</translation>
</message>
<message>
<source>{unit} on validation and training (dashed)</source>
<translation>{unit}, Validierung und Training (gestrichelt)</translation>
</message>
<message>
<source>hours of training</source>
<translation>Stunden Training</translation>
</message>
<message>
<source>minutes of training</source>
<translation>Minuten Training</translation>
</message>
<message>
<source>seconds of training</source>
<translation>Sekunden Training</translation>
</message>
<message>
<source> (training)</source>
<translation> (Training)</translation>
</message>
<message>
<source>the folder {folder} was deleted, or no longer holds a study</source>
<translation>der Ordner {folder} wurde gelöscht oder enthält keine Studie mehr</translation>
</message>
<message>
<source>no study {name!r}: expected a TOML file or one of {names}</source>
<translation>keine Studie {name!r}: erwartet wird eine TOML-Datei oder eine von {names}</translation>
</message>
<message>
<source>{path} holds no study and no run: expected a folder with study.toml or recipe.toml</source>
<translation>{path} enthält weder Studie noch Lauf: erwartet wird ein Ordner mit study.toml oder recipe.toml</translation>
</message>
<message>
<source>the folder {folder} was deleted: there is nothing to resume</source>
<translation>der Ordner {folder} wurde gelöscht: Es gibt nichts fortzusetzen</translation>
</message>
<message>
<source>resume {folder}</source>
<translation>Fortsetzen von {folder}</translation>
</message>
<message>
<source>the folder {folder} was deleted: cannot pause the study in it</source>
<translation>der Ordner {folder} wurde gelöscht: Die Studie darin kann nicht pausieren</translation>
</message>
<message>
<source>the folder {folder} was deleted: cannot resume the study in it</source>
<translation>der Ordner {folder} wurde gelöscht: Die Studie darin kann nicht fortgesetzt werden</translation>
</message>
<message>
<source>the folder {folder} was deleted: cannot stop the study in it</source>
<translation>der Ordner {folder} wurde gelöscht: Die Studie darin kann nicht angehalten werden</translation>
</message>
<message>
<source>the folder {folder} was deleted: cannot cancel the study in it</source>
<translation>der Ordner {folder} wurde gelöscht: Die Studie darin kann nicht abgebrochen werden</translation>
</message>
<message>
<source>the study in {folder} has started meanwhile: it is not deleted</source>
<translation>die Studie in {folder} ist inzwischen gestartet: Sie wird nicht gelöscht</translation>
</message>
<message>
<source>delete {folder}</source>
<translation>Löschen von {folder}</translation>
</message>
<message>
<source>{name!r} is no name for a folder: expected letters, digits, spaces, dots and dashes</source>
<translation>{name!r} ist kein Name für einen Ordner: erwartet werden Buchstaben, Ziffern, Leerzeichen, Punkte und Bindestriche</translation>
</message>
<message>
<source>there is a study {name} already: choose another name</source>
<translation>es gibt schon eine Studie {name}: Wählen Sie einen anderen Namen</translation>
</message>
<message>
<source>the study {name} is running: stop it first</source>
<translation>die Studie {name} läuft: Halten Sie sie zuerst an</translation>
</message>
<message>
<source>&amp;Width</source>
<translation>&amp;Breite</translation>
</message>
<message>
<source>Size of the token embeddings (d_model)</source>
<translation>Größe der Token-Einbettungen (d_model)</translation>
</message>
<message>
<source>&amp;Layers</source>
<translation>Schi&amp;chten</translation>
</message>
<message>
<source>Number of transformer blocks</source>
<translation>Anzahl der Transformer-Blöcke</translation>
</message>
<message>
<source>He&amp;ads</source>
<translation>Kö&amp;pfe</translation>
</message>
<message>
<source>Attention heads per layer</source>
<translation>Aufmerksamkeitsköpfe pro Schicht</translation>
</message>
<message>
<source>Feed-forward</source>
<translation>Feed-forward</translation>
</message>
<message>
<source>Size of the feed-forward layer; other arms get one with equal parameters</source>
<translation>Größe der Feed-forward-Schicht; andere Varianten erhalten eine mit gleich vielen Parametern</translation>
</message>
<message>
<source>W&amp;indow</source>
<translation>&amp;Fenster</translation>
</message>
<message>
<source>Maximum sequence length in tokens; a bar of 4/4 has 64</source>
<translation>Größte Länge einer Folge in Token; ein 4/4-Takt hat 64</translation>
</message>
<message>
<source>Batch</source>
<translation>Batch</translation>
</message>
<message>
<source>Sequences per step</source>
<translation>Folgen pro Schritt</translation>
</message>
<message>
<source>Evaluate ever&amp;y</source>
<translation>Aus&amp;werten alle</translation>
</message>
<message>
<source>Steps between validation evaluations</source>
<translation>Schritte zwischen zwei Auswertungen auf der Validierung</translation>
</message>
<message>
<source>Stop after</source>
<translation>Stopp nach</translation>
</message>
<message>
<source>Evaluations in a row without improvement that end a run before its budget</source>
<translation>Auswertungen ohne Verbesserung in Folge, die einen Lauf vor seinem Budget beenden</translation>
</message>
<message>
<source>Least gain</source>
<translation>Mindestgewinn</translation>
</message>
<message>
<source>Least decrease of the validation loss, in nats, that counts as an improvement</source>
<translation>Kleinste Abnahme des Validierungsverlusts in Nat, die als Verbesserung zählt</translation>
</message>
<message>
<source>Every scheme on byte sequences without the published leak: trained on 8 to 400 bytes, evaluated on 400, 2,000 and 10,000. About an hour and a half on one core, most of it reading 10,000 bytes.</source>
<translation>Alle Verfahren auf Bytefolgen ohne die undichte Stelle der Veröffentlichung: trainiert mit 8 bis 400 Byte, ausgewertet mit 400, 2.000 und 10.000. Etwa anderthalb Stunden auf einem Kern, die meisten davon für die 10.000 Byte.</translation>
</message>
<message>
<source>The shipped models' own size and window, three seeds of 5 M tokens: a night on one core.</source>
<translation>Größe und Fenster der mitgelieferten Modelle, drei Startwerte mit je 5 Millionen Token: eine Nacht auf einem Kern.</translation>
</message>
<message>
<source>The cost of one layer of attention, forward and backward, by sequence length. Nothing is trained. A few minutes on one core.</source>
<translation>Was eine Aufmerksamkeitsschicht vorwärts und rückwärts kostet, nach Länge der Folge. Nichts wird trainiert. Einige Minuten auf einem Kern.</translation>
</message>
<message>
<source>The published comparison on JSB16, reproduced exactly, with its faults and without each of them: four of its ten epochs. An epoch is 6,905 steps: 41,430 steps are six, the length of its printed log, 69,050 all ten. The data, Jsb16thSeparated.json, are not shipped. About an hour and a half on one core.</source>
<translation>Der veröffentlichte Vergleich auf JSB16, genau nachgestellt, mit seinen Fehlern und ohne jeden von ihnen: vier seiner zehn Epochen. Eine Epoche hat 6.905 Schritte: 41.430 sind sechs Epochen, so viele wie im gedruckten Protokoll, 69.050 alle zehn. Die Daten, Jsb16thSeparated.json, werden nicht mitgeliefert. Etwa anderthalb Stunden auf einem Kern.</translation>
</message>
<message>
<source>About twenty minutes on two cores: small models, two seeds. Their losses still fall at the end: for a verdict, run the full study.</source>
<translation>Etwa zwanzig Minuten auf zwei Kernen: kleine Modelle, zwei Startwerte. Ihre Verluste fallen am Ende noch: Für ein Urteil nehmen Sie die große Studie.</translation>
</message>
<message>
<source>Under two minutes on two cores: checks that a study runs; it does not show which arm is better.</source>
<translation>Keine zwei Minuten auf zwei Kernen: prüft, dass eine Studie läuft; welche Variante besser ist, zeigt sie nicht.</translation>
</message>
<message>
<source>Does relative attention need longer windows? A question of the published comparison: windows of 16 to 1,024 tokens and whole pieces, the same number of training tokens in each. About three hours on one core.</source>
<translation>Braucht relative Aufmerksamkeit längere Fenster? Eine Frage zum veröffentlichten Vergleich: Fenster von 16 bis 1.024 Token und ganze Stücke, überall gleich viele Trainingstoken. Etwa drei Stunden auf einem Kern.</translation>
</message>
<message>
<source>The study window for a GPU: its five windows, 3 M parameters instead of 0.8 M, three seeds, and besides vanilla and relative also ALiBi, rotary positions and none at all. 75 runs: it needs a GPU and was not run.</source>
<translation>Die Studie der Fensterlängen für eine GPU: ihre fünf Fenster, 3 statt 0,8 Millionen Parameter, drei Startwerte und neben Vanilla und Relativ auch ALiBi, Rotary und gar keine Positionen. 75 Läufe: Sie braucht eine GPU und wurde nicht ausgeführt.</translation>
</message>
<message>
<source>the study</source>
<translation>die Studie</translation>
</message>
<message>
<source>evaluation</source>
<translation>Auswertung</translation>
</message>
<message>
<source>evaluations</source>
<translation>Auswertungen</translation>
</message>
<message>
<source>Waiting in the queue</source>
<translation>Wartet auf den Start</translation>
</message>
<message>
<source>Running</source>
<translation>Läuft</translation>
</message>
<message>
<source>Paused</source>
<translation>Pausiert</translation>
</message>
<message>
<source>Stopped and saved</source>
<translation>Angehalten und gespeichert</translation>
</message>
<message>
<source>Cancelled</source>
<translation>Abgebrochen</translation>
</message>
<message>
<source>Finished</source>
<translation>Fertig</translation>
</message>
<message>
<source>Interrupted</source>
<translation>Unterbrochen</translation>
</message>
<message>
<source>Failed</source>
<translation>Fehlgeschlagen</translation>
</message>
<message>
<source>Cannot be read</source>
<translation>Nicht lesbar</translation>
</message>
<message>
<source>Deleted</source>
<translation>Gelöscht</translation>
</message>
<message>
<source>The study is running: stop it first</source>
<translation>Die Studie läuft: Halten Sie sie zuerst an</translation>
</message>
<message>
<source>The study is paused and its process is waiting: stop it first</source>
<translation>Die Studie pausiert und ihr Prozess wartet: Halten Sie sie zuerst an</translation>
</message>
<message>
<source>The folder was deleted</source>
<translation>Der Ordner wurde gelöscht</translation>
</message>
<message>
<source>The study {title} finished</source>
<translation>Die Studie {title} ist fertig</translation>
</message>
<message>
<source>The study {title} failed</source>
<translation>Die Studie {title} ist fehlgeschlagen</translation>
</message>
<message>
<source>The study {title} was interrupted</source>
<translation>Die Studie {title} wurde unterbrochen</translation>
</message>
<message>
<source>The study {title} was stopped and saved</source>
<translation>Die Studie {title} wurde angehalten und gespeichert</translation>
</message>
<message>
<source>The study {title} was cancelled; it can be resumed from its last checkpoint</source>
<translation>Die Studie {title} wurde abgebrochen; sie kann ab dem letzten Zwischenstand fortgesetzt werden</translation>
</message>
<message>
<source>Starting …</source>
<translation>Startet …</translation>
</message>
<message>
<source>Pausing after this step …</source>
<translation>Pausiert nach diesem Schritt …</translation>
</message>
<message>
<source>Resuming …</source>
<translation>Wird fortgesetzt …</translation>
</message>
<message>
<source>Stopping and saving …</source>
<translation>Wird angehalten und gespeichert …</translation>
</message>
<message>
<source>Cancelling …</source>
<translation>Wird abgebrochen …</translation>
</message>
<message>
<source>Ray is not installed: install musicrel with its extra, as in pip install '.[cluster]'</source>
<translation>Ray ist nicht installiert: Installieren Sie musicrel mit dieser Erweiterung, etwa mit pip install '.[cluster]'</translation>
</message>
<message>
<source>finishing with the last evaluation</source>
<translation>letzte Auswertung läuft</translation>
</message>
<message>
<source>The study is running: stop it to choose where it continues</source>
<translation>Die Studie läuft: Halten Sie sie an, um zu wählen, wo sie weiterläuft</translation>
</message>
<message>
<source>Connecting to the cluster …</source>
<translation>Verbindung zum Cluster …</translation>
</message>
<message>
<source> · single run</source>
<translation> · einzelner Lauf</translation>
</message>
<message>
<source> · archived</source>
<translation> · archiviert</translation>
</message>
<message>
<source>The study is not running: {state}</source>
<translation>Die Studie läuft nicht: {state}</translation>
</message>
<message>
<source>It is queued</source>
<translation>Sie wartet auf den Start</translation>
</message>
<message>
<source>The study is finished</source>
<translation>Die Studie ist fertig</translation>
</message>
<message>
<source>The study is running</source>
<translation>Die Studie läuft</translation>
</message>
<message>
<source>The study is paused: resume it</source>
<translation>Die Studie pausiert: Setzen Sie sie fort</translation>
</message>
<message>
<source>The folder cannot be read</source>
<translation>Der Ordner ist nicht lesbar</translation>
</message>
<message>
<source>It is already paused</source>
<translation>Sie pausiert schon</translation>
</message>
<message>
<source>It is not paused</source>
<translation>Sie pausiert nicht</translation>
</message>
<message>
<source>A run of the study is running: stop it first</source>
<translation>Ein Lauf der Studie ist noch aktiv: Halten Sie ihn zuerst an</translation>
</message>
<message>
<source>; one of its runs is running</source>
<translation>; einer ihrer Läufe ist noch aktiv</translation>
</message>
<message>
<source>Runs in process {writer}, which continues when this window is closed.</source>
<translation>Läuft im Prozess {writer}, auch wenn dieses Fenster geschlossen wird.</translation>
</message>
<message>
<source>No result: the folder cannot be read.</source>
<translation>Kein Ergebnis: Der Ordner ist nicht lesbar.</translation>
</message>
<message>
<source>A single run has no comparison.</source>
<translation>Ein einzelner Lauf hat keinen Vergleich.</translation>
</message>
<message>
<source>No result yet: no row is measured.</source>
<translation>Noch kein Ergebnis: Keine Zeile ist gemessen.</translation>
</message>
<message>
<source>No result yet: no seed is finished in both arms.</source>
<translation>Noch kein Ergebnis: Kein Startwert ist in beiden Varianten fertig.</translation>
</message>
<message>
<source>Learning rates, chosen on validation: {rates}.</source>
<translation>Lernraten, nach der Validierung gewählt: {rates}.</translation>
</message>
<message>
<source>A model of this study {reason}</source>
<translation>Ein Modell dieser Studie {reason}</translation>
</message>
<message>
<source>{arm}, seed {seed}: {remark}</source>
<translation>{arm}, Startwert {seed}: {remark}</translation>
</message>
<message>
<source>Remove “{title}” from the queue? It has not started.</source>
<translation>„{title}“ aus der Warteschlange nehmen? Sie hat noch nicht begonnen.</translation>
</message>
<message>
<source>Remove</source>
<translation>Entfernen</translation>
</message>
<message>
<source>Keep</source>
<translation>Behalten</translation>
</message>
<message>
<source>Stop “{title}” now? Progress since the last checkpoint is lost; the study can be resumed from there.</source>
<translation>„{title}“ jetzt abbrechen? Was seit dem letzten Zwischenstand gelernt wurde, geht verloren; von dort kann die Studie fortgesetzt werden.</translation>
</message>
<message>
<source>Stop now</source>
<translation>Jetzt abbrechen</translation>
</message>
<message>
<source>Keep running</source>
<translation>Weiterlaufen lassen</translation>
</message>
<message>
<source>free</source>
<translation>frei</translation>
</message>
<message>
<source>lost; its runs resume on other nodes</source>
<translation>verloren; seine Läufe werden auf anderen Knoten fortgesetzt</translation>
</message>
<message>
<source>No node is left. </source>
<translation>Kein Knoten ist mehr da. </translation>
</message>
<message>
<source>1 run waits for a place.</source>
<translation>1 Lauf wartet auf einen Platz.</translation>
</message>
<message>
<source>{waiting:,} runs wait for a place.</source>
<translation>{waiting:,} Läufe warten auf einen Platz.</translation>
</message>
<message>
<source>{run}: the node {node} was lost; the run resumes from its last checkpoint on another one</source>
<translation>{run}: Der Knoten {node} ging verloren; der Lauf wird auf einem anderen ab dem letzten Zwischenstand fortgesetzt</translation>
</message>
<message>
<source>processor</source>
<translation>Prozessor</translation>
</message>
<message>
<source>processors</source>
<translation>Prozessoren</translation>
</message>
<message>
<source>GPU</source>
<translation>GPU</translation>
</message>
<message>
<source>GPUs</source>
<translation>GPUs</translation>
</message>
<message>
<source>{arm}, seed {values}</source>
<translation>{arm}, Startwert {values}</translation>
</message>
<message>
<source>{arm}, seeds {values}</source>
<translation>{arm}, Startwerte {values}</translation>
</message>
<message>
<source>{arm}, learning rate {values}</source>
<translation>{arm}, Lernrate {values}</translation>
</message>
<message>
<source>{arm}, learning rates {values}</source>
<translation>{arm}, Lernraten {values}</translation>
</message>
<message>
<source>{percent:.0f} %  ·  {number} of {rows} measured</source>
<translation>{percent:.0f} %  ·  {rows}, davon {number} gemessen</translation>
</message>
<message>
<source>row</source>
<translation>Zeile</translation>
</message>
<message>
<source>rows</source>
<translation>Zeilen</translation>
</message>
<message>
<source>{number} runs side by side</source>
<translation>{number} Läufe gleichzeitig</translation>
</message>
<message>
<source>about {duration} left</source>
<translation>noch etwa {duration}</translation>
</message>
<message>
<source>less than a minute left</source>
<translation>noch weniger als eine Minute</translation>
</message>
<message>
<source>{speed:,.0f} tokens/s</source>
<translation>{speed:,.0f} Token/s</translation>
</message>
<message>
<source>{done} of {runs} done</source>
<translation>{runs}, davon {done} fertig</translation>
</message>
<message>
<source>{arm}, seed {seed}: evaluating {split}, {done} of {pieces}</source>
<translation>{arm}, Startwert {seed}: Auswertung ({split}), {done} von {pieces}</translation>
</message>
<message>
<source>{arm}, seed {seed}: step {step:,}</source>
<translation>{arm}, Startwert {seed}: Schritt {step:,}</translation>
</message>
<message>
<source>, rate {rate:g}</source>
<translation>, Lernrate {rate:g}</translation>
</message>
<message>
<source>{days} d {hours} h</source>
<translation>{days} T. {hours} h</translation>
</message>
<message>
<source>{folder} cannot be read ({error}: {reason}): it is damaged, or of another version of musicrel</source>
<translation>{folder} ist nicht lesbar ({error}: {reason}): Der Ordner ist beschädigt oder stammt aus einer anderen Version von musicrel</translation>
</message>
<message>
<source>Curves appear after the first evaluation.</source>
<translation>Kurven erscheinen nach der ersten Auswertung.</translation>
</message>
<message>
<source>The score cannot be engraved: the package verovio is missing; reinstall musicrel</source>
<translation>Das Notenbild lässt sich nicht setzen: Das Paket verovio fehlt; installieren Sie musicrel neu</translation>
</message>
<message>
<source>the piece cannot be engraved: Verovio rejects its MusicXML</source>
<translation>das Stück lässt sich nicht setzen: Verovio lehnt sein MusicXML ab</translation>
</message>
<message>
<source>a PNG of {width} x {height} dots is too large: expected at most {most} million dots; export SVG, or a part of the piece</source>
<translation>ein PNG von {width} x {height} Punkten ist zu groß: möglich sind {most} Millionen Punkte; exportieren Sie SVG oder einen Teil des Stücks</translation>
</message>
<message>
<source>← {first} has the lower loss  ·  {first} has the higher loss →</source>
<translation>← {first} hat den kleineren Verlust  ·  {first} hat den größeren Verlust →</translation>
</message>
<message>
<source>{unit}, loss of {first} minus that of the arm</source>
<translation>{unit}, Verlust von {first} minus den der Variante</translation>
</message>
<message>
<source>← the first arm has the lower loss  ·  the first arm has the higher loss →</source>
<translation>← die erste Variante hat den kleineren Verlust  ·  die erste Variante hat den größeren Verlust →</translation>
</message>
<message>
<source>{unit}, loss of the first arm minus that of the second</source>
<translation>{unit}, Verlust der ersten Variante minus den der zweiten</translation>
</message>
<message>
<source>{unit}, {first} minus {second}</source>
<translation>{unit}, {first} minus {second}</translation>
</message>
<message>
<source>{observations}, ordered by difference</source>
<translation>{observations}, nach Differenz geordnet</translation>
</message>
<message>
<source>Piano roll of {title}</source>
<translation>Pianorolle: {title}</translation>
</message>
<message>
<source>a chorale</source>
<translation>Choral</translation>
</message>
<message>
<source>Chorale</source>
<translation>Choral</translation>
</message>
<message>
<source>{tempo:g} BPM</source>
<translation>{tempo:g} BPM</translation>
</message>
<message>
<source>{model}, seed {seed}</source>
<translation>{model}, Startwert {seed}</translation>
</message>
<message>
<source>the printer accepts nothing: check that it is switched on, or save a PDF instead</source>
<translation>der Drucker nimmt nichts an: Prüfen Sie, ob er eingeschaltet ist, oder speichern Sie stattdessen ein PDF</translation>
</message>
<message>
<source>page</source>
<translation>Seite</translation>
</message>
<message>
<source>pages</source>
<translation>Seiten</translation>
</message>
<message>
<source>there is no page {first}: the piece has {pages}</source>
<translation>es gibt keine Seite {first}: Das Stück hat {pages}</translation>
</message>
<message>
<source>close programs that use the folder and try again</source>
<translation>schließen Sie Programme, die den Ordner benutzen, und versuchen Sie es noch einmal</translation>
</message>
<message>
<source>cannot move {source} to {target}: {why}</source>
<translation>{source} lässt sich nicht nach {target} verschieben: {why}</translation>
</message>
<message>
<source>candidates is {count}, but at temperature 0 every seed writes the same notes: expected 1 candidate, or a temperature above 0</source>
<translation>{count} Vorschläge sind verlangt, aber bei Temperatur 0 schreibt jeder Startwert dieselben Noten: erwartet wird 1 Vorschlag oder eine Temperatur über 0</translation>
</message>
<message>
<source>Surprisal</source>
<translation>Überraschung</translation>
</message>
<message>
<source>surprisal of the region and everything after it, nats per note of the region</source>
<translation>Überraschung der Stelle und alles Folgenden, in Nat je Note der Stelle</translation>
</message>
<message>
<source>Grade</source>
<translation>Bach-Abstand</translation>
</message>
<message>
<source>distance from Bach of the whole piece</source>
<translation>Abstand des ganzen Stücks von Bach</translation>
</message>
<message>
<source>Parallels</source>
<translation>Parallelen</translation>
</message>
<message>
<source>parallel fifths, octaves and unisons per 1,000 notes</source>
<translation>Quint-, Oktav- und Einklangsparallelen je 1.000 Noten</translation>
</message>
<message>
<source>Crossings</source>
<translation>Kreuzungen</translation>
</message>
<message>
<source>% of steps at which voices cross</source>
<translation>% der Sechzehntel, in denen sich Stimmen kreuzen</translation>
</message>
<message>
<source>Spacing</source>
<translation>Abstände</translation>
</message>
<message>
<source>% of steps at which upper voices are over an octave apart</source>
<translation>% der Sechzehntel, in denen Oberstimmen mehr als eine Oktave auseinanderliegen</translation>
</message>
<message>
<source>Copied from Bach</source>
<translation>Von Bach kopiert</translation>
</message>
<message>
<source>share of the region's two-bar chunks that the training chorales contain</source>
<translation>Anteil der Zweitakter der Stelle, die in den Trainingschorälen vorkommen</translation>
</message>
<message>
<source>Cadences</source>
<translation>Kadenzen</translation>
</message>
<message>
<source>share of the phrase ends without the requested cadence, if one is requested</source>
<translation>Anteil der Phrasenenden ohne die verlangte Kadenz, falls eine verlangt ist</translation>
</message>
<message>
<source>Changed</source>
<translation>Geändert</translation>
</message>
<message>
<source>share of the free notes that differ from the original; a weight above 0 prefers similar candidates, below 0 different ones</source>
<translation>Anteil der freien Noten, die vom Original abweichen; ein Gewicht über 0 bevorzugt ähnliche Vorschläge, eines unter 0 andersartige</translation>
</message>
<message>
<source>writing</source>
<comment>part of the kernel</comment>
<translation>das Schreiben</translation>
</message>
<message>
<source>memory is too small for a piece of {length} tokens: ask for fewer bars or take a smaller model</source>
<translation>der Speicher reicht nicht für ein Stück von {length} Token: Verlangen Sie weniger Takte oder nehmen Sie ein kleineres Modell</translation>
</message>
<message>
<source>the device cannot record a step ({}): generation continues, but slower</source>
<translation>das Gerät kann einen Schritt nicht aufzeichnen ({}): Das Komponieren geht langsamer weiter</translation>
</message>
<message>
<source>the choice of tokens</source>
<translation>die Wahl der Töne</translation>
</message>
<message>
<source>model {name!r} gives no distribution at step {step}: its weights are broken</source>
<translation>das Modell {name!r} liefert bei Schritt {step} keine Verteilung: Seine Gewichte sind unbrauchbar</translation>
</message>
<message>
<source>memory is too small for {pieces} pieces at once: writing {half} at a time</source>
<translation>der Speicher reicht nicht für {pieces} Stücke auf einmal: Geschrieben werden je {half} zugleich</translation>
</message>
<message>
<source>the locks forbid all</source>
<translation>die Sperren verbieten alle</translation>
</message>
<message>
<source>the rule {rule} and the locks forbid all</source>
<translation>die Regel {rule} und die Sperren verbieten alle</translation>
</message>
<message>
<source>the rules {rules} and the locks forbid all</source>
<translation>die Regeln {rules} und die Sperren verbieten alle</translation>
</message>
<message>
<source> and </source>
<translation> und </translation>
</message>
<message>
<source>no note is left for the {voice} in {bar}, step {step}: {why}; switch a rule off, free a cell near or take another seed</source>
<translation>für den {voice} bleibt in {bar}, Sechzehntel {step}, keine Note übrig: {why}; schalten Sie eine Regel aus, geben Sie in der Nähe eine Note frei oder nehmen Sie einen anderen Startwert</translation>
</message>
<message>
<source>this model cannot keep a given rhythm, as it does not distinguish held notes from repeated ones: choose another, such as relative</source>
<translation>dieses Modell kann keinen vorgegebenen Rhythmus halten, da es gehaltene und wiederholte Noten nicht unterscheidet: Wählen Sie ein anderes, etwa relative</translation>
</message>
<message>
<source>the {voice} at step {step}</source>
<translation>der {voice} bei Sechzehntel {step}</translation>
</message>
<message>
<source>{cell} is locked to pitch {pitch}, outside the range of the models: expected {lowest} to {highest}, or -1 for a rest</source>
<translation>{cell} ist auf Tonhöhe {pitch} gesperrt, außerhalb des Umfangs der Modelle: erwartet wird {lowest} bis {highest} oder -1 für eine Pause</translation>
</message>
<message>
<source>no voice leaves its range</source>
<translation>keine Stimme verlässt ihren Umfang</translation>
</message>
<message>
<source>'range'</source>
<translation>„Umfänge“</translation>
</message>
<message>
<source>out of range</source>
<translation>außerhalb des Umfangs</translation>
</message>
<message>
<source>no voice sounds below the next lower one</source>
<translation>keine Stimme klingt tiefer als die nächsttiefere</translation>
</message>
<message>
<source>'crossing'</source>
<translation>„Keine Kreuzung“</translation>
</message>
<message>
<source>voice crossing</source>
<translation>Stimmkreuzung</translation>
</message>
<message>
<source>no parallel fifths, octaves or unisons between any two voices</source>
<translation>keine Quint-, Oktav- oder Einklangsparallelen zwischen zwei Stimmen</translation>
</message>
<message>
<source>'parallels'</source>
<translation>„Keine Parallelen“</translation>
</message>
<message>
<source>parallel fifths</source>
<translation>Quintparallelen</translation>
</message>
<message>
<source>parallel octaves</source>
<translation>Oktavparallelen</translation>
</message>
<message>
<source>parallel unisons</source>
<translation>Einklangsparallelen</translation>
</message>
<message>
<source>only notes of the key's scale; in minor sixth and seventh may be raised</source>
<translation>nur Töne der Tonleiter; in Moll dürfen sechste und siebte Stufe erhöht sein</translation>
</message>
<message>
<source>'scale'</source>
<translation>„Tonleiter“</translation>
</message>
<message>
<source>no voice rests</source>
<translation>keine Stimme pausiert</translation>
</message>
<message>
<source>'rests'</source>
<translation>„Keine Pausen“</translation>
</message>
<message>
<source>the rule 'scale' needs to know the key: give one, as in 'G major'</source>
<translation>die Regel „Tonleiter“ braucht die Tonart: Geben Sie eine an, etwa G-Dur</translation>
</message>
<message>
<source>a rest</source>
<translation>eine Pause</translation>
</message>
<message>
<source>pitch {pitch}</source>
<translation>Tonhöhe {pitch}</translation>
</message>
<message>
<source>the locked notes break the rule {rule} in {bar}, {who} (step {step}: {what}): switch the rule off or free one of these notes</source>
<translation>die gesperrten Noten verletzen die Regel {rule} in {bar}, {who} (Sechzehntel {step}: {what}): Schalten Sie die Regel aus oder geben Sie eine dieser Noten frei</translation>
</message>
<message>
<source>bar {number}</source>
<translation>Takt {number}</translation>
</message>
<message>
<source>the pickup</source>
<comment>after in</comment>
<translation>dem Auftakt</translation>
</message>
<message>
<source>the range of the {voice} has no note of {key}: expected a wider one, or the rule 'scale' switched off</source>
<translation>im Umfang für den {voice} liegt kein Ton von {key}: Wählen Sie einen größeren oder schalten Sie die Regel „Tonleiter“ aus</translation>
</message>
<message>
<source>Church choir</source>
<translation>Kirchenchor</translation>
</message>
<message>
<source>Soprano to G5, bass from E2</source>
<translation>Sopran bis G5, Bass ab E2</translation>
</message>
<message>
<source>Professional choir</source>
<translation>Profichor</translation>
</message>
<message>
<source>Soprano to C6 (models write up to A5), bass from D2</source>
<translation>Sopran bis C6 (Modelle schreiben bis A5), Bass ab D2</translation>
</message>
<message>
<source>Youth choir</source>
<translation>Jugendchor</translation>
</message>
<message>
<source>Soprano to F5, tenor to F4, bass from G2</source>
<translation>Sopran bis F5, Tenor bis F4, Bass ab G2</translation>
</message>
<message>
<source>Full range</source>
<translation>Voller Umfang</translation>
</message>
<message>
<source>Ranges of the training pieces</source>
<translation>Umfänge in den Trainingsstücken</translation>
</message>
<message>
<source>the range of the {voice} is {low}-{high}: expected the lower MIDI number first, and notes between {lowest} and {highest}</source>
<translation>der Umfang für den {voice} ist {low}-{high}: erwartet werden die kleinere MIDI-Nummer zuerst und Noten zwischen {lowest} und {highest}</translation>
</message>
<message>
<source>the {voice} has no notes: expected a melody</source>
<translation>der {voice} hat keine Noten: erwartet wird eine Melodie</translation>
</message>
<message>
<source>the piece would have {bars:,} bars: expected at most {most} of {meter}, as many as can be written at once; continue a shorter one</source>
<translation>das Stück hätte {bars:,} Takte: erwartet werden höchstens {most} im {meter}-Takt, mehr lassen sich nicht auf einmal schreiben; setzen Sie ein kürzeres fort</translation>
</message>
<message>
<source>Layer {layer}</source>
<translation>Schicht {layer}</translation>
</message>
<message>
<source>Layer {layer}, head {head}</source>
<translation>Schicht {layer}, Kopf {head}</translation>
</message>
<message>
<source>layer {layer}</source>
<translation>Schicht {layer}</translation>
</message>
<message>
<source>layer {layer}, head {head}</source>
<translation>Schicht {layer}, Kopf {head}</translation>
</message>
<message>
<source>the model has no head {head}: expected layers 1 to {layers} and heads 1 to {heads}</source>
<translation>das Modell hat keinen Kopf {head}: erwartet werden Schichten 1 bis {layers} und Köpfe 1 bis {heads}</translation>
</message>
<message>
<source>the means of the heads of {name} are not known: compute them with musicrel ablate means, or replace heads by zero</source>
<translation>die Mittelwerte der Köpfe von {name} sind nicht bekannt: Berechnen Sie sie mit musicrel ablate means oder ersetzen Sie Köpfe durch null</translation>
</message>
<message>
<source>the decoding step</source>
<translation>das Schreiben Ton für Ton</translation>
</message>
<message>
<source>infilling</source>
<translation>das Füllen von Lücken</translation>
</message>
<message>
<source>the compiled kernel is switched off by {switch}=off: pieces are written by torch</source>
<translation>der kompilierte Kernel ist durch {switch}=off ausgeschaltet: Stücke schreibt torch</translation>
</message>
<message>
<source>{part} cannot be compiled</source>
<translation>{part} lässt sich nicht kompilieren</translation>
</message>
<message>
<source>numba does not work</source>
<translation>numba funktioniert nicht</translation>
</message>
<message>
<source>reinstall numba</source>
<translation>installieren Sie numba neu</translation>
</message>
<message>
<source>the folder for compiled functions cannot be used</source>
<translation>der Ordner für kompilierte Funktionen ist nicht benutzbar</translation>
</message>
<message>
<source>make it writable</source>
<translation>machen Sie ihn beschreibbar</translation>
</message>
<message>
<source>the compiled kernel is not used, because {what} ({first_line}): pieces are written by torch, which takes longer; {remedy} to change that</source>
<translation>der kompilierte Kernel wird nicht benutzt, denn {what} ({first_line}): Stücke schreibt torch, was länger dauert; {remedy}, um das zu ändern</translation>
</message>
<message>
<source>the model {name} sees notes on both sides and does not predict a piece note by note: choose a model that generates from left to right to see its attention and surprisal</source>
<translation>das Modell {name} sieht die Noten zu beiden Seiten und sagt ein Stück nicht Note für Note voraus: Wählen Sie für Aufmerksamkeit und Überraschung ein Modell, das von links nach rechts schreibt</translation>
</message>
<message>
<source>{name}: its vocabulary {vocabulary!r} with {tokens} tokens is unknown to this program; update musicrel to use the model</source>
<translation>{name}: Das Vokabular {vocabulary!r} mit {tokens} Token ist diesem Programm unbekannt; aktualisieren Sie musicrel, um das Modell zu benutzen</translation>
</message>
<message>
<source>{name}: its condition {condition!r} with {size} rows is unknown to this program; update musicrel to use the model</source>
<translation>{name}: Die Bedingung {condition!r} mit {size} Zeilen ist diesem Programm unbekannt; aktualisieren Sie musicrel, um das Modell zu benutzen</translation>
</message>
<message>
<source>phrases are {phrases!r}: expected the bars of each phrase, such as 2,2,4</source>
<translation>die Phrasen sind {phrases!r}: erwartet werden die Takte jeder Phrase, etwa 2,2,4</translation>
</message>
<message>
<source>there are {cadences} cadences for {phrases} phrases: expected one for all, or one for each phrase</source>
<translation>für {phrases} Phrasen gibt es {cadences} Kadenzen: erwartet wird eine für alle oder eine für jede Phrase</translation>
</message>
<message>
<source>A first try: notes are resampled twice, or written once</source>
<translation>Ein erster Versuch: Noten werden zweimal neu bestimmt oder einmal geschrieben</translation>
</message>
<message>
<source>Notes are resampled several times, or chosen from 8 versions of a phrase</source>
<translation>Noten werden mehrmals neu bestimmt oder aus 8 Versionen einer Phrase gewählt</translation>
</message>
<message>
<source>Notes are resampled many times, or chosen from 32 versions: the slowest</source>
<translation>Noten werden oft neu bestimmt oder aus 32 Versionen gewählt: am langsamsten</translation>
</message>
<message>
<source>Number of times an infill model, such as relative-infill, resamples its notes and repairs missed cadences, parallels and 6-4 chords, and number of versions of each phrase that a causal model, such as relative, writes side by side to choose from</source>
<translation>Wie oft ein ergänzendes Modell wie relative-infill seine Noten neu bestimmt und verfehlte Kadenzen, Parallelen und Quartsextakkorde ausbessert, und wie viele Versionen jeder Phrase ein kausales Modell wie relative nebeneinander schreibt, um daraus zu wählen</translation>
</message>
<message>
<source>the piece has {bars:,} bars: expected at most {most} of {meter}, as many as can be written at once; take a part of it</source>
<translation>das Stück hat {bars:,} Takte: erwartet werden höchstens {most} im {meter}-Takt, mehr lassen sich nicht auf einmal schreiben; nehmen Sie einen Teil davon</translation>
</message>
<message>
<source>1 to {most} of {meter}</source>
<translation>1 bis {most} im {meter}-Takt</translation>
</message>
<message>
<source>{name} is {value}: expected {expected}</source>
<translation>{name}: {value}; erwartet wird {expected}</translation>
</message>
<message>
<source>pickup is {pickup} sixteenths: expected 0 to {most}, less than a bar of {meter}</source>
<translation>der Auftakt hat {pickup} Sechzehntel: erwartet wird 0 bis {most}, weniger als ein {meter}-Takt</translation>
</message>
<message>
<source>the phrases have {length}: expected {bars}, the length of the piece</source>
<translation>die Phrasen haben {length}: erwartet werden {bars}, die Länge des Stücks</translation>
</message>
<message>
<source>the form A A B is for new pieces, but some notes are given: expected no fixed notes, or another form</source>
<translation>die Form A A B gilt nur für neue Stücke, aber Noten sind vorgegeben: erwartet werden keine festen Noten oder eine andere Form</translation>
</message>
<message>
<source>a piece of {length} cannot have the form A A B: expected at least {least} bars, or another form</source>
<translation>das Stück hat nur {length}, zu wenig für die Form A A B: erwartet werden mindestens {least} Takte oder eine andere Form</translation>
</message>
<message>
<source>the phrases {given} do not have the form A A B: expected some twice and then others, as in 2,2,2,2,4, or another form</source>
<translation>die Phrasen {given} haben nicht die Form A A B: erwartet werden einige zweimal und dann andere, etwa 2,2,2,2,4, oder eine andere Form</translation>
</message>
<message>
<source>the form A A B repeats phrases, and the piece has none: expected phrases that are drawn, a model that is conditioned on fermatas, or another form</source>
<translation>die Form A A B wiederholt Phrasen, und das Stück hat keine: erwartet werden ausgeloste Phrasen, ein Modell, das Fermaten vorgegeben bekommt, oder eine andere Form</translation>
</message>
<message>
<source>there are {kinds} cadences, but the phrases are drawn: give the phrases, as in 2,2,4, or one cadence for all</source>
<translation>es gibt {kinds} Kadenzen, aber die Phrasen werden ausgelost: Geben Sie die Phrasen an, etwa 2,2,4, oder eine Kadenz für alle</translation>
</message>
<message>
<source>every note is locked: free at least one note</source>
<translation>jede Note ist gesperrt: Geben Sie mindestens eine frei</translation>
</message>
<message>
<source>the rhythm of the soprano and some of its notes are given: expected one of them</source>
<translation>der Rhythmus des Soprans und einige seiner Noten sind vorgegeben: erwartet wird nur eines von beiden</translation>
</message>
<message>
<source>the form A A B repeats notes, but the rhythm of the soprano is another one when they come again: expected the same rhythm twice, or another form</source>
<translation>die Form A A B wiederholt Noten, aber der Rhythmus des Soprans ist bei der Wiederholung ein anderer: erwartet wird zweimal derselbe Rhythmus oder eine andere Form</translation>
</message>
<message>
<source>{number} bar</source>
<translation>{number} Takt</translation>
</message>
<message>
<source>{number} bars</source>
<translation>{number} Takte</translation>
</message>
<message>
<source>C C♯ D D♯ E F F♯ G G♯ A B♭ B</source>
<translation>C Cis D Dis E F Fis G Gis A B H</translation>
</message>
<message>
<source>the piece ranges from {lowest} to {highest}: expected pitches from {low} to {high}; move its highest or lowest notes by an octave</source>
<translation>das Stück reicht von {lowest} bis {highest}: erwartet werden Töne von {low} bis {high}; versetzen Sie seine höchsten oder tiefsten Noten um eine Oktave</translation>
</message>
<message>
<source>the melody ranges from {lowest} to {highest}, {semitones} semitones: expected at most {most} for the {voice}; move its highest or lowest notes by an octave</source>
<translation>die Melodie reicht von {lowest} bis {highest}, {semitones} Halbtöne: erwartet werden für den {voice} höchstens {most}; versetzen Sie ihre höchsten oder tiefsten Noten um eine Oktave</translation>
</message>
<message>
<source>the model {name} normalises its states after every layer, so they are no sum of what its heads wrote: choose a model that normalises before the layers</source>
<translation>das Modell {name} normiert seine Zustände nach jeder Schicht, sie sind also nicht die Summe dessen, was seine Köpfe beitrugen: Wählen Sie ein Modell, das vor den Schichten normiert</translation>
</message>
<message>
<source>the model {model} reads a chorale once for every note, which takes too long for all of them: choose one that writes from left to right</source>
<translation>das Modell {model} liest einen Choral für jede Note einmal, das dauert bei allen zu lange: Wählen Sie eines, das von links nach rechts schreibt</translation>
</message>
<message>
<source>Sum over the notes that begin in the bar of what the head adds to their logits, against all notes weighted by probability, in nats.</source>
<translation>Summe über die Noten, die im Takt beginnen: was der Kopf zu ihren Logits beiträgt, gegenüber allen nach Wahrscheinlichkeit gewichteten Noten, in Nat.</translation>
</message>
<message>
<source>{title}, bar {bar}</source>
<translation>{title}, Takt {bar}</translation>
</message>
<message>
<source>{title}, pickup</source>
<translation>{title}, Auftakt</translation>
</message>
<message>
<source>Strongest bars of {head}</source>
<translation>Stärkste Takte von {head}</translation>
</message>
<message>
<source>{model}, {number} of Bach's chorales</source>
<translation>{model}, {number} Choräle von Bach</translation>
</message>
<message>
<source>Running sum of B − A in nats: it rises where A predicts better and falls where B does.</source>
<translation>Laufende Summe von B − A in Nat: sie steigt, wo A besser vorhersagt, und fällt, wo B besser vorhersagt.</translation>
</message>
<message>
<source>{summary}.  The curve rises where A predicts better.</source>
<translation>{summary}.  Die Kurve steigt, wo A besser vorhersagt.</translation>
</message>
<message>
<source>{first} and {second}: surprisal compared</source>
<translation>{first} und {second}: Überraschung im Vergleich</translation>
</message>
<message>
<source>{name}: {here} is put at {there}</source>
<translation>{name}: {here} wird gesetzt auf {there}</translation>
</message>
<message>
<source>Learned places, bar {least:.1f} to {most:.1f}. Dotted: where the notes are.</source>
<translation>Gelernte Orte, Takt {least:.1f} bis {most:.1f}. Gepunktet: wo die Noten stehen.</translation>
</message>
<message>
<source>┊ equal weights</source>
<translation>┊ gleiche Gewichte</translation>
</message>
<message>
<source>No cadence was found in this piece.</source>
<translation>In diesem Stück wurde keine Kadenz gefunden.</translation>
</message>
<message>
<source>No model on this page wrote this piece.</source>
<translation>Kein Modell hier schrieb dieses Stück.</translation>
</message>
<message>
<source>Nothing to measure yet.</source>
<translation>Noch nichts zu messen.</translation>
</message>
<message>
<source>{number:.1f} quarters</source>
<translation>{number:.1f} Viertel</translation>
</message>
<message>
<source>{pieces} test pieces</source>
<translation>{pieces} Teststücke</translation>
</message>
<message>
<source>the bars of the piece</source>
<translation>die Takte des Stücks</translation>
</message>
<message>
<source>Equal weights: {share}</source>
<translation>Gleiche Gewichte: {share}</translation>
</message>
<message>
<source>Claim: {claim}</source>
<translation>These: {claim}</translation>
</message>
<message>
<source>{share} (95 % interval over {over}: {low} to {high})</source>
<translation>{share} (95-%-Intervall über {over}: {low} bis {high})</translation>
</message>
<message>
<source>L{layer}</source>
<translation>S{layer}</translation>
</message>
<message>
<source>Mean</source>
<translation>Mittel</translation>
</message>
<message>
<source>Voice</source>
<comment>short</comment>
<translation>St.</translation>
</message>
<message>
<source>H{head}</source>
<translation>K{head}</translation>
</message>
<message>
<source>{head}, muted</source>
<translation>{head}, stumm</translation>
</message>
<message>
<source>{text}; muted</source>
<translation>{text}; stumm</translation>
</message>
<message>
<source>hindered −{full:g}</source>
<translation>störte −{full:g}</translation>
</message>
<message>
<source>+{full:g} nats helped</source>
<translation>+{full:g} Nat half</translation>
</message>
<message>
<source>all heads</source>
<translation>alle Köpfe</translation>
</message>
<message>
<source>{codes} muted</source>
<translation>{codes} stumm</translation>
</message>
<message>
<source>, muted {p}</source>
<translation>, stumm {p}</translation>
</message>
<message>
<source>Most probable</source>
<translation>Erste Wahl</translation>
</message>
<message>
<source>Second</source>
<translation>Zweite</translation>
</message>
<message>
<source>Third</source>
<translation>Dritte</translation>
</message>
<message>
<source>Votes for {note}. {words}</source>
<translation>Beiträge zu {note}. {words}</translation>
</message>
<message>
<source>{bar}: {raised:+.2f} nats. Click to open it.</source>
<translation>{bar}: {raised:+.2f} Nat. Ein Klick öffnet ihn.</translation>
</message>
<message>
<source>Sources of {note}. {words}</source>
<translation>Quellen von {note}. {words}</translation>
</message>
<message>
<source>Random others</source>
<translation>Zufällige andere</translation>
</message>
<message>
<source>Strongest by weight</source>
<translation>Größte Gewichte</translation>
</message>
<message>
<source>whole piece</source>
<translation>ganzes Stück</translation>
</message>
<message>
<source>{text}; looks at {shares}</source>
<translation>{text}; achtet auf {shares}</translation>
</message>
<message>
<source>{voice} as source {effect}</source>
<translation>{voice} als Quelle {effect}</translation>
</message>
<message>
<source>Effects of heads, {of}</source>
<translation>Wirkungen der Köpfe, {of}</translation>
</message>
<message>
<source>most: {head} {effect}</source>
<translation>am stärksten: {head} {effect}</translation>
</message>
<message>
<source>muted: {heads}</source>
<translation>stumm: {heads}</translation>
</message>
<message>
<source>made no difference</source>
<translation>änderte nichts</translation>
</message>
<message>
<source>helped by {nats:.2f} nats</source>
<translation>half um {nats:.2f} Nat</translation>
</message>
<message>
<source>hindered by {nats:.2f} nats</source>
<translation>störte um {nats:.2f} Nat</translation>
</message>
<message>
<source>Surprisal {before:.2f} nats</source>
<translation>Überraschung {before:.2f} Nat</translation>
</message>
<message>
<source>Surprisal {before:.2f} nats, muted {after:.2f} ({effect})</source>
<translation>Überraschung {before:.2f} Nat, stumm {after:.2f} ({effect})</translation>
</message>
<message>
<source>Layer {layer} (model)</source>
<translation>Schicht {layer} (Modell)</translation>
</message>
<message>
<source>Before layer 1</source>
<translation>Vor Schicht 1</translation>
</message>
<message>
<source>rest</source>
<translation>Pause</translation>
</message>
<message>
<source>{pitch} held</source>
<translation>{pitch} gehalten</translation>
</message>
<message>
<source>{name}: weight {weight}, {effect}</source>
<translation>{name}: Gewicht {weight}, {effect}</translation>
</message>
<message>
<source>No note comes before this one</source>
<translation>Vor dieser Note steht keine andere</translation>
</message>
<message>
<source>Rank correlation of weight and size of effect: {correlation}</source>
<translation>Rangkorrelation von Gewicht und Größe der Wirkung: {correlation}</translation>
</message>
<message>
<source>{text}. Mean size: {strongest:.3f} nats strongest, {random:.3f} random</source>
<translation>{text}. Mittlere Größe: {strongest:.3f} Nat bei den größten, {random:.3f} bei zufälligen</translation>
</message>
<message>
<source>All voices ({position})</source>
<translation>Alle Stimmen ({position})</translation>
</message>
<message>
<source>bar {place}</source>
<translation>Takt {place}</translation>
</message>
<message>
<source>Logit lens: the output of every layer read as if it were the last one. Bold: the note of the piece. Colour: its probability.</source>
<translation>Logit lens: die Ausgabe jeder Schicht, gelesen, als wäre sie die letzte. Fett: die Note des Stücks. Farbe: ihre Wahrscheinlichkeit.</translation>
</message>
<message>
<source>Left: attention, mean of all heads. Right: effect of removing the source, in nats.</source>
<translation>Links: Aufmerksamkeit, Mittel aller Köpfe. Rechts: Wirkung, wenn die Quelle entfernt wird, in Nat.</translation>
</message>
<message>
<source>Change of -log p in nats if the output of a head is replaced by {by}; positive: it helped.</source>
<translation>Änderung von -log p in Nat, wenn die Ausgabe eines Kopfes durch {by} ersetzt wird; positiv: er half.</translation>
</message>
<message>
<source>zero</source>
<translation>null</translation>
</message>
<message>
<source>its mean</source>
<translation>ihr Mittel</translation>
</message>
<message>
<source> Strips: where the head looks, by voice.</source>
<translation> Streifen: worauf der Kopf achtet, nach Stimmen.</translation>
</message>
<message>
<source>Effects of heads: {of}</source>
<translation>Wirkungen der Köpfe: {of}</translation>
</message>
<message>
<source>Most probable notes: {note}</source>
<translation>Wahrscheinlichste Noten: {note}</translation>
</message>
<message>
<source>What each layer would choose: {note}</source>
<translation>Was jede Schicht wählen würde: {note}</translation>
</message>
<message>
<source>Sources of {note}</source>
<translation>Quellen von {note}</translation>
</message>
<message>
<source>a cell before the first note</source>
<translation>eine Zelle vor der ersten Note</translation>
</message>
<message>
<source>earlier</source>
<translation>früher</translation>
</message>
<message>
<source>more than a bar before the note</source>
<translation>mehr als einen Takt vor der Note</translation>
</message>
<message>
<source>within a bar</source>
<translation>bis 1 Takt davor</translation>
</message>
<message>
<source>up to a bar before the note, but more than a beat</source>
<translation>bis zu einem Takt vor der Note, aber mehr als eine Zählzeit</translation>
</message>
<message>
<source>within a beat</source>
<translation>bis 1 Zählzeit davor</translation>
</message>
<message>
<source>up to a beat before the note, but not the step before</source>
<translation>bis zu einer Zählzeit vor der Note, ohne das Sechzehntel direkt davor</translation>
</message>
<message>
<source>step before</source>
<translation>direkt davor</translation>
</message>
<message>
<source>the sixteenth before the note</source>
<translation>das Sechzehntel vor der Note</translation>
</message>
<message>
<source>same step</source>
<translation>gleichzeitig</translation>
</message>
<message>
<source>the same sixteenth</source>
<translation>dasselbe Sechzehntel</translation>
</message>
<message>
<source>step after</source>
<translation>direkt danach</translation>
</message>
<message>
<source>the sixteenth after the note</source>
<translation>das Sechzehntel nach der Note</translation>
</message>
<message>
<source>a beat after</source>
<translation>bis 1 Zählzeit danach</translation>
</message>
<message>
<source>up to a beat after the note, but not the step after</source>
<translation>bis zu einer Zählzeit nach der Note, ohne das Sechzehntel direkt danach</translation>
</message>
<message>
<source>a bar after</source>
<translation>bis 1 Takt danach</translation>
</message>
<message>
<source>up to a bar after the note, but more than a beat</source>
<translation>bis zu einem Takt nach der Note, aber mehr als eine Zählzeit</translation>
</message>
<message>
<source>later</source>
<translation>später</translation>
</message>
<message>
<source>more than a bar after the note</source>
<translation>mehr als einen Takt nach der Note</translation>
</message>
<message>
<source>{row}: {share} on {column}</source>
<translation>{row}: {share} auf {column}</translation>
</message>
<message>
<source>Mean of all heads</source>
<translation>Mittel aller Köpfe</translation>
</message>
<message>
<source>mean of all heads</source>
<translation>Mittel aller Köpfe</translation>
</message>
<message>
<source>the piece has {steps} steps: an infilling model reads up to {max_steps}; choose a passage of it</source>
<translation>das Stück hat {steps} Sechzehntel: Ein ergänzendes Modell liest bis zu {max_steps}; wählen Sie einen Ausschnitt</translation>
</message>
<message>
<source>{letter}: most, {most}, on {place}</source>
<translation>{letter}: max. {most} auf {place}</translation>
</message>
<message>
<source>By distance</source>
<translation>Nach Abstand</translation>
</message>
<message>
<source>By voice</source>
<translation>Nach Stimme</translation>
</message>
<message>
<source>Bars: mean over the piece. Marks: the chosen note.</source>
<translation>Balken: Mittel über das Stück. Striche: die gewählte Note.</translation>
</message>
<message>
<source>Bars: mean over the piece. Marks: the chosen note. Right: B − A in points.</source>
<translation>Balken: Mittel des Stücks. Striche: gewählte Note. Rechts: B − A in Prozentpunkten.</translation>
</message>
<message>
<source>B − A {points} points</source>
<translation>B − A {points} Prozentpunkte</translation>
</message>
<message>
<source> (this note {share})</source>
<translation> (diese Note {share})</translation>
</message>
<message>
<source>Surprisal of each note's onset, -log p</source>
<translation>Überraschung beim Einsatz jeder Note, -log p</translation>
</message>
<message>
<source>Surprisal of each note's onset, -log p, computed by {model}: from p = {low} to p = {high} or less</source>
<translation>Überraschung beim Einsatz jeder Note, -log p, berechnet von {model}: von p = {low} bis p = {high} oder weniger</translation>
</message>
<message>
<source>Which model is surprised less by a note, so that it predicts better; the last colours are from {full:.1f} nats on. A: {first}, B: {second}</source>
<translation>Welches Modell von einer Note weniger überrascht wird, also besser vorhersagt; die äußersten Farben gelten ab {full:.1f} Nat. A: {first}, B: {second}</translation>
</message>
<message>
<source>{low:.1f} nats</source>
<translation>{low:.1f} Nat</translation>
</message>
<message>
<source>{high:.1f} nats +</source>
<translation>{high:.1f} Nat +</translation>
</message>
<message>
<source>{onset:.2f} nats (p = {p})</source>
<translation>{onset:.2f} Nat (p = {p})</translation>
</message>
<message>
<source>{text}, {whole:.2f} nats in total</source>
<translation>{text}, insgesamt {whole:.2f} Nat</translation>
</message>
<message>
<source>A predicts this piece better in {better} of {bars} bars, {total:+.1f} nats in total; mean surprisal {first:.3f} nats/note under A, {second:.3f} under B</source>
<translation>A sagt dieses Stück in {better} von {bars} Takten besser vorher, insgesamt {total:+.1f} Nat; mittlere Überraschung {first:.3f} Nat je Note bei A, {second:.3f} bei B</translation>
</message>
<message>
<source>B − A: {voices} nats</source>
<translation>B − A: {voices} Nat</translation>
</message>
<message>
<source>After {place}: {sum:+.1f} nats; here {here:+.2f}</source>
<translation>Nach {place}: {sum:+.1f} Nat; hier {here:+.2f}</translation>
</message>
<message>
<source>A {first:.2f} nats, B {second:.2f}: {comparison}</source>
<translation>A {first:.2f} Nat, B {second:.2f}: {comparison}</translation>
</message>
<message>
<source>B better</source>
<translation>B besser</translation>
</message>
<message>
<source>A better</source>
<translation>A besser</translation>
</message>
<message>
<source>both are surprised alike</source>
<translation>beide sind gleich überrascht</translation>
</message>
<message>
<source>{more} is surprised more by {nats:.2f}</source>
<translation>{more} ist um {nats:.2f} mehr überrascht</translation>
</message>
<message>
<source>Rows: predicted cells. Columns: the cells attended to, START first. Numbers: bars.</source>
<translation>Zeilen: vorhergesagte Zellen. Spalten: die beachteten Zellen, START zuerst. Zahlen: Takte.</translation>
</message>
<message>
<source>Rows: cells, each predicted from all others. Columns: the sixteenths attended to. Numbers: bars.</source>
<translation>Zeilen: Zellen, jede aus allen anderen vorhergesagt. Spalten: die beachteten Sechzehntel. Zahlen: Takte.</translation>
</message>
<message>
<source>Above: weights of A. Below: weights of B, on the same scale. Colours: voices.</source>
<translation>Oben: Gewichte von A. Unten: Gewichte von B, im selben Maßstab. Farben: Stimmen.</translation>
</message>
<message>
<source>Weights by step. Colours: voices.</source>
<translation>Gewichte nach Sechzehnteln. Farben: Stimmen.</translation>
</message>
<message>
<source>Bars: this piece, with intervals of 95 % over its bars. Grey: Bach. Dotted: equal weights.</source>
<translation>Balken: dieses Stück, mit 95-%-Intervallen über seine Takte. Grau: Bach. Gepunktet: gleiche Gewichte.</translation>
</message>
<message>
<source>In bars. Dotted: where the notes are.</source>
<translation>In Takten. Gepunktet: wo die Noten stehen.</translation>
</message>
<message>
<source>Attention of {model}, {head}</source>
<translation>Aufmerksamkeit von {model}, {head}</translation>
</message>
<message>
<source>Attention: {models}</source>
<translation>Aufmerksamkeit: {models}</translation>
</message>
<message>
<source>Cross-attention of {model}, {head}</source>
<translation>Cross-Attention von {model}, {head}</translation>
</message>
<message>
<source>Cross-attention: {models}</source>
<translation>Cross-Attention: {models}</translation>
</message>
<message>
<source>Attention of {note}</source>
<translation>Aufmerksamkeit von {note}</translation>
</message>
<message>
<source>Shares of attention: {models}</source>
<translation>Anteile der Aufmerksamkeit: {models}</translation>
</message>
<message>
<source>shares of attention</source>
<translation>Anteile der Aufmerksamkeit</translation>
</message>
<message>
<source>Claims about relative attention</source>
<translation>Thesen zur relativen Aufmerksamkeit</translation>
</message>
<message>
<source>claims</source>
<translation>Thesen</translation>
</message>
<message>
<source>Where the heads put the notes</source>
<translation>Wohin die Köpfe die Noten setzen</translation>
</message>
<message>
<source>Lines: heads, mean of the four voices.</source>
<translation>Linien: Köpfe, Mittel der vier Stimmen.</translation>
</message>
<message>
<source>Where {head} puts the notes</source>
<translation>Wohin {head} die Noten setzt</translation>
</message>
<message>
<source>Colours: voices. Grey: other heads.</source>
<translation>Farben: Stimmen. Grau: andere Köpfe.</translation>
</message>
<message>
<source>Direct logit attribution: how far each part raises (+) or lowers (−) the logit of a note,</source>
<translation>Direct logit attribution: wie weit jeder Teil das Logit einer Note hebt (+) oder senkt (−),</translation>
</message>
<message>
<source>against the mean of the notes shown, in nats. Bold: the note of the piece.</source>
<translation>gegenüber dem Mittel der gezeigten Noten, in Nat. Fett: die Note des Stücks.</translation>
</message>
<message>
<source>Input</source>
<translation>Eingabe</translation>
</message>
<message>
<source>Voice leading</source>
<translation>Stimmführung</translation>
</message>
<message>
<source>Layer {layer}, network</source>
<translation>Schicht {layer}, Netz</translation>
</message>
<message>
<source>The last note and the given conditions, before layer 1</source>
<translation>Die letzte Note und die Vorgaben, vor Schicht 1</translation>
</message>
<message>
<source>Biases and learnt tables of voice leading, beside the layers</source>
<translation>Bias und gelernte Tabellen der Stimmführung, neben den Schichten</translation>
</message>
<message>
<source>Of the heads, {head} raised {note} most: {size:.2f}</source>
<translation>{note} wurde am meisten gehoben von {head}: {size:.2f}</translation>
</message>
<message>
<source>Of the heads, {head} lowered {note} most: {size:.2f}</source>
<translation>{note} wurde am meisten gesenkt von {head}: {size:.2f}</translation>
</message>
<message>
<source>What raised which note: {note}</source>
<translation>Was welche Note hob: {note}</translation>
</message>
<message>
<source>the root of {chord}</source>
<translation>den Grundton von {chord}</translation>
</message>
<message>
<source>the third of {chord}</source>
<translation>die Terz von {chord}</translation>
</message>
<message>
<source>the fifth of {chord}</source>
<translation>die Quinte von {chord}</translation>
</message>
<message>
<source>the seventh of {chord}</source>
<translation>die Septime von {chord}</translation>
</message>
<message>
<source>{place}, the {voice} has {note}</source>
<translation>{place} hat der {voice} {note}</translation>
</message>
<message>
<source>{place}, the {voice} holds {note}</source>
<translation>{place} hält der {voice} {note}</translation>
</message>
<message>
<source>mainly because of the {voice}, without which it would have {p}</source>
<translation>den Ausschlag gab vor allem der {voice}, ohne den sie {p} hätte</translation>
</message>
<message>
<source>mainly because of the notes before it in this voice, without which it would have {p}</source>
<translation>den Ausschlag gaben vor allem die vorangehenden Noten dieser Stimme, ohne die sie {p} hätte</translation>
</message>
<message>
<source>what spoke for this note was the {voice}, without which it would have {p}</source>
<translation>für diese Note sprach vor allem der {voice}, ohne den sie {p} hätte</translation>
</message>
<message>
<source>what spoke for it were the notes before it in this voice, without which it would have {p}</source>
<translation>für sie sprachen vor allem die vorangehenden Noten dieser Stimme, ohne die sie {p} hätte</translation>
</message>
<message>
<source>and no single voice decided it</source>
<translation>keine Stimme allein gab den Ausschlag</translation>
</message>
<message>
<source>In the {place}</source>
<translation>Im {place}</translation>
</message>
<message>
<source>In {place}</source>
<translation>In {place}</translation>
</message>
<message>
<source>{place}, the {voice} rests</source>
<translation>{place} pausiert der {voice}</translation>
</message>
<message>
<source>{member} in {key}</source>
<translation>{member} in {key}</translation>
</message>
<message>
<source>a note outside {chord}</source>
<translation>einen Ton außerhalb von {chord}</translation>
</message>
<message>
<source>{note} again</source>
<translation>{note} (neu angesetzt)</translation>
</message>
<message>
<source>, more than {note} with {p}</source>
<translation>, mehr als {note} mit {p}</translation>
</message>
<message>
<source>the model gave this note {p}{ahead}, {reason}</source>
<translation>Das Modell gab dieser Note {p}{ahead}; {reason}</translation>
</message>
<message>
<source>the model preferred {note}, at {p} to {own}</source>
<translation>Das Modell hätte {note} vorgezogen, mit {p} gegenüber {own}</translation>
</message>
<message>
<source>predicts classes (family classifier), not notes</source>
<translation>sagt Klassen vorher (Familie classifier), keine Noten</translation>
</message>
<message>
<source>is an arm of the published comparison (family published) and predicts tokens in windows of one beat, not pieces</source>
<translation>ist eine Variante des veröffentlichten Vergleichs (Familie published) und sagt Token in Fenstern von einer Zählzeit vorher, keine Stücke</translation>
</message>
<message>
<source>card.json is not the card of a musicrel model</source>
<translation>card.json ist nicht die Karte eines musicrel-Modells</translation>
</message>
<message>
<source>card.json has version {found!r}, this program reads {expected}: update musicrel to use the model</source>
<translation>card.json hat die Version {found!r}, dieses Programm liest {expected}: Aktualisieren Sie musicrel, um das Modell zu verwenden</translation>
</message>
<message>
<source>card.json names no vocabulary</source>
<translation>card.json nennt kein Vokabular</translation>
</message>
<message>
<source>{directory} holds no model: its {card} is missing or unreadable ({reason})</source>
<translation>{directory} enthält kein Modell: {card} fehlt dort oder ist nicht lesbar ({reason})</translation>
</message>
<message>
<source>{name} {reason}: choose a model that predicts notes, of family causal, encoder_decoder or infill</source>
<translation>{name} {reason}: Wählen Sie ein Modell, das Noten vorhersagt, aus der Familie causal, encoder_decoder oder infill</translation>
</message>
<message>
<source>none yet</source>
<translation>noch keins</translation>
</message>
<message>
<source>no model {name!r}: expected a model directory with a {card}, or one of {names}</source>
<translation>kein Modell {name!r}: erwartet wird ein Modellordner mit {card} oder eines von {names}</translation>
</message>
<message>
<source>{name} belongs to musicrel and cannot be removed: only models of your own can</source>
<translation>{name} gehört zu musicrel und kann nicht entfernt werden: Das geht nur mit eigenen Modellen</translation>
</message>
<message>
<source>no model {name} in {folder}: nothing was removed</source>
<translation>kein Modell {name} in {folder}: Es wurde nichts entfernt</translation>
</message>
<message>
<source>{path}: {reason}; copy the model again</source>
<translation>{path}: {reason}; kopieren Sie das Modell noch einmal</translation>
</message>
<message>
<source>{path} is damaged or was changed: its weights have the SHA-256 {found}…, its card names {expected}…; copy the model again from its source</source>
<translation>{path} ist beschädigt oder wurde verändert: Die Gewichte haben den SHA-256 {found}…, auf der Karte steht {expected}…; kopieren Sie das Modell noch einmal von seiner Quelle</translation>
</message>
<message>
<source>{directory} holds no model: {reason}</source>
<translation>{directory} enthält kein Modell: {reason}</translation>
</message>
<message>
<source>its tensors are not those of the card's config (first: {odd!r})</source>
<translation>die Tensoren sind nicht die der Karte (der erste: {odd!r})</translation>
</message>
<message>
<source>tensor {name!r} is {kind} of shape {found}: expected F32 or F16 of shape {shape}</source>
<translation>Tensor {name!r} ist {kind} mit der Form {found}: erwartet wird F32 oder F16 mit der Form {shape}</translation>
</message>
<message>
<source>it has {found:,} bytes: expected {expected:,}, truncated?</source>
<translation>die Datei hat {found:,} Byte: erwartet werden {expected:,}, abgeschnitten?</translation>
</message>
<message>
<source>{directory}: tensor {name!r} has non-finite values</source>
<translation>{directory}: Tensor {name!r} hat nicht endliche Werte</translation>
</message>
<message>
<source>writing</source>
<translation>Schreiben</translation>
</message>
<message>
<source>training</source>
<translation>Training</translation>
</message>
<message>
<source>{task} on the {device}</source>
<translation>{task} auf der {device}</translation>
</message>
<message>
<source>the {failed} failed when the speed of {task} was measured ({reason}): the {used} is used; musicrel check measures again</source>
<translation>bei der Messung der Geschwindigkeit ({task}) versagte die {failed} ({reason}): verwendet wird die {used}; musicrel check misst noch einmal</translation>
</message>
<message>
<source> and the </source>
<translation> und die </translation>
</message>
<message>
<source>torch finds no {name} device on this machine: use --device cpu or auto</source>
<translation>torch findet auf diesem Computer kein Gerät {name}: Wählen Sie cpu oder auto</translation>
</message>
<message>
<source>{name!r} cannot be the name of a model: expected letters, such as {valid!r}</source>
<translation>{name!r} kann kein Modell heißen: erwartet werden Buchstaben, etwa {valid!r}</translation>
</message>
<message>
<source>{file} of {path} has more than {limit:,} bytes: a model of musicrel is smaller</source>
<translation>{file} von {path} hat mehr als {limit:,} Byte: Ein Modell von musicrel ist kleiner</translation>
</message>
<message>
<source>{path} is not imported: {reason}</source>
<translation>{path} wird nicht importiert: {reason}</translation>
</message>
<message>
<source>{name} is the name of a shipped model: import it under another name</source>
<translation>{name} ist der Name eines mitgelieferten Modells: Importieren Sie es unter einem anderen Namen</translation>
</message>
<message>
<source>cannot write into {folder}: {reason}; make room there</source>
<translation>in {folder} kann nicht geschrieben werden: {reason}; schaffen Sie dort Platz</translation>
</message>
<message>
<source>the model cannot be stored in {folder}: {reason}; nothing was changed</source>
<translation>das Modell kann nicht in {folder} abgelegt werden: {reason}; nichts wurde verändert</translation>
</message>
<message>
<source>{path} holds weights as pickle ({name}), which can run code when they are loaded: export them as {weights}</source>
<translation>{path} enthält Gewichte als Pickle ({name}), die beim Laden Code ausführen können: Exportieren Sie sie als {weights}</translation>
</message>
<message>
<source>cannot read {path}: {reason}; copy the model again</source>
<translation>{path} ist nicht lesbar: {reason}; kopieren Sie das Modell noch einmal</translation>
</message>
<message>
<source>{path} holds no model: expected the files {card} and {weights} side by side</source>
<translation>{path} enthält kein Modell: erwartet werden die Dateien {card} und {weights} nebeneinander</translation>
</message>
<message>
<source>{file} in {path} is a link to another folder, or no file: put the file itself into the folder</source>
<translation>{file} in {path} ist eine Verknüpfung mit einem anderen Ordner oder keine Datei: Legen Sie die Datei selbst in den Ordner</translation>
</message>
<message>
<source>{path} has more than {limit:,} bytes: a model of musicrel is smaller</source>
<translation>{path} hat mehr als {limit:,} Byte: Ein Modell von musicrel ist kleiner</translation>
</message>
<message>
<source>{path} holds {count} models: import each of them from a folder or zip of its own</source>
<translation>{path} enthält {count} Modelle: Importieren Sie jedes aus einem eigenen Ordner oder Zip-Archiv</translation>
</message>
<message>
<source>{path} is no model: expected a folder or a zip archive with a {card}</source>
<translation>{path} ist kein Modell: erwartet wird ein Ordner oder Zip-Archiv mit {card}</translation>
</message>
<message>
<source>{path} is damaged: {reason}; copy it again</source>
<translation>{path} ist beschädigt: {reason}; kopieren Sie die Datei noch einmal</translation>
</message>
<message>
<source>it has {found:,} files, at most {most:,} are expected</source>
<translation>es hat {found:,} Dateien, erwartet werden höchstens {most:,}</translation>
</message>
<message>
<source>two of its files have the same name</source>
<translation>zwei seiner Dateien haben denselben Namen</translation>
</message>
<message>
<source>{path} is not unpacked: {problem}; zip the model folder again</source>
<translation>{path} wird nicht entpackt: {problem}; packen Sie den Modellordner noch einmal</translation>
</message>
<message>
<source>{name!r} points outside of the archive</source>
<translation>{name!r} zeigt aus dem Archiv heraus</translation>
</message>
<message>
<source>{name!r} is a link</source>
<translation>{name!r} ist eine Verknüpfung</translation>
</message>
<message>
<source>{name!r} is encrypted</source>
<translation>{name!r} ist verschlüsselt</translation>
</message>
<message>
<source>{name!r} is compressed with another method than Deflate</source>
<translation>{name!r} ist mit einem anderen Verfahren als Deflate komprimiert</translation>
</message>
<message>
<source>the sequence has {length:,} tokens, but the model learned positions for {limit:,} only: shorten it, or take a model whose positions extend</source>
<translation>die Folge hat {length:,} Token, das Modell hat aber nur Positionen für {limit:,} gelernt: Kürzen Sie sie, oder nehmen Sie ein Modell, dessen Positionen weiter reichen</translation>
</message>
<message>
<source>no position at all</source>
<translation>gar keine Position</translation>
</message>
<message>
<source>sinusoids added to the embeddings</source>
<translation>Sinuskurven, zu den Einbettungen addiert</translation>
</message>
<message>
<source>sinusoids concatenated with the embeddings, projected back</source>
<translation>Sinuskurven, an die Einbettungen angehängt und zurückprojiziert</translation>
</message>
<message>
<source>a learned vector for every position, added to the embeddings</source>
<translation>ein gelernter Vektor je Position, zu den Einbettungen addiert</translation>
</message>
<message>
<source>as learned, initialised with the sinusoids</source>
<translation>wie learned, mit den Sinuskurven initialisiert</translation>
</message>
<message>
<source>a learned vector for every distance, added to keys and values</source>
<translation>ein gelernter Vektor je Abstand, zu Keys und Values addiert</translation>
</message>
<message>
<source>a learned vector for every distance, dotted with the query</source>
<translation>ein gelernter Vektor je Abstand, im Skalarprodukt mit der Query</translation>
</message>
<message>
<source>a learned number for every distance and head, added to the scores</source>
<translation>eine gelernte Zahl je Abstand und Kopf, zu den Scores addiert</translation>
</message>
<message>
<source>projected sinusoids of the distance, dotted with the query</source>
<translation>projizierte Sinuskurven des Abstands, im Skalarprodukt mit der Query</translation>
</message>
<message>
<source>queries and keys rotated by their position</source>
<translation>Queries und Keys, um ihre Position gedreht</translation>
</message>
<message>
<source>a slope times the distance, subtracted from the scores</source>
<translation>eine Steigung mal dem Abstand, von den Scores abgezogen</translation>
</message>
<message>
<source>as rope, and a learned slope times the distance is subtracted</source>
<translation>wie rope, dazu wird eine gelernte Steigung mal dem Abstand abgezogen</translation>
</message>
<message>
<source>as rope, but pairs slower than the window are not rotated</source>
<translation>wie rope, aber Paare, die langsamer sind als das Fenster, werden nicht gedreht</translation>
</message>
<message>
<source>as rope, but slow pairs rotated by a coordinate learned from the token</source>
<translation>wie rope, aber langsame Paare werden um eine Koordinate gedreht, die aus dem Token gelernt ist</translation>
</message>
<message>
<source>sizes of queries and keys, with the angles of their positions</source>
<translation>Beträge von Queries und Keys mit den Winkeln ihrer Positionen</translation>
</message>
<message>
<source>as pope, and a learned slope times the distance is subtracted</source>
<translation>wie pope, dazu wird eine gelernte Steigung mal dem Abstand abgezogen</translation>
</message>
<message>
<source>queries and keys rotated by bar, beat, voice and pitch</source>
<translation>Queries und Keys, nach Takt, Zählzeit, Stimme und Tonhöhe gedreht</translation>
</message>
<message>
<source>a learned logarithm of the distance, subtracted from the scores</source>
<translation>ein gelernter Logarithmus des Abstands, von den Scores abgezogen</translation>
</message>
<message>
<source>a learned function of the distance as a share of the longest one</source>
<translation>eine gelernte Funktion des Abstands als Anteil am längsten</translation>
</message>
<message>
<source>each token decides how far what lies before it is forgotten</source>
<translation>jedes Token entscheidet, wie weit vergessen wird, was vor ihm liegt</translation>
</message>
<message>
<source>it is not a safetensors file, or it is truncated</source>
<translation>das ist keine safetensors-Datei, oder sie ist abgeschnitten</translation>
</message>
<message>
<source>it is not a safetensors file: its header is not JSON</source>
<translation>das ist keine safetensors-Datei: Ihr Kopf ist kein JSON</translation>
</message>
<message>
<source>it is not a safetensors file: its header is not a table</source>
<translation>das ist keine safetensors-Datei: Ihr Kopf ist keine Tabelle</translation>
</message>
<message>
<source>tensor {name!r} is {kind}: expected {kinds}</source>
<translation>Tensor {name!r} ist {kind}: erwartet wird {kinds}</translation>
</message>
<message>
<source>tensor {name!r} has the impossible shape {shape}</source>
<translation>Tensor {name!r} hat die unmögliche Form {shape}</translation>
</message>
<message>
<source>it is a damaged safetensors file: {reason}</source>
<translation>die safetensors-Datei ist beschädigt: {reason}</translation>
</message>
<message>
<source>step {step}, {voice}: pitch {pitch} is outside {low} to {high}, the range of the models; transpose the piece</source>
<translation>Sechzehntel {step}, {voice}: Tonhöhe {pitch} liegt außerhalb von {low} bis {high}, dem Umfang der Modelle; transponieren Sie das Stück</translation>
</message>
<message>
<source>cannot write {path}: {why}</source>
<translation>{path} lässt sich nicht schreiben: {why}</translation>
</message>
<message>
<source>cannot {action}: {why}</source>
<translation>{action} ist nicht möglich: {why}</translation>
</message>
<message>
<source>cannot write into {folder}: {why}</source>
<translation>in {folder} lässt sich nicht schreiben: {why}</translation>
</message>
<message>
<source>nothing is written into {folder}, because {path} is a link, a device or a pipe: put the file or folder itself there</source>
<translation>in {folder} wird nichts geschrieben, weil {path} eine Verknüpfung, ein Gerät oder eine Pipe ist: Legen Sie die Datei oder den Ordner selbst dorthin</translation>
</message>
<message>
<source>make room on it, or choose another disk</source>
<translation>schaffen Sie Platz, oder wählen Sie einen anderen Datenträger</translation>
</message>
<message>
<source>choose a folder you may write to</source>
<translation>wählen Sie einen Ordner, in den Sie schreiben dürfen</translation>
</message>
<message>
<source>the disk is full</source>
<translation>der Datenträger ist voll</translation>
</message>
<message>
<source>your share of the disk is used up</source>
<translation>Ihr Anteil am Datenträger ist aufgebraucht</translation>
</message>
<message>
<source>the disk takes no file of this size</source>
<translation>der Datenträger nimmt keine Datei dieser Größe an</translation>
</message>
<message>
<source>choose another disk</source>
<translation>wählen Sie einen anderen Datenträger</translation>
</message>
<message>
<source>the disk cannot be read or written</source>
<translation>der Datenträger lässt sich nicht lesen oder beschreiben</translation>
</message>
<message>
<source>its name is too long</source>
<translation>der Name ist zu lang</translation>
</message>
<message>
<source>choose a shorter one</source>
<translation>wählen Sie einen kürzeren</translation>
</message>
<message>
<source>a part of its path is a file, not a folder</source>
<translation>ein Teil des Pfades ist eine Datei, kein Ordner</translation>
</message>
<message>
<source>playback stopped because of an internal error; press play again</source>
<translation>die Wiedergabe brach wegen eines internen Fehlers ab; klicken Sie noch einmal auf „Abspielen“</translation>
</message>
<message>
<source>no sound: this computer offers no audio device; connect one and press play again</source>
<translation>kein Ton: Dieser Computer hat kein Audiogerät; verbinden Sie eines und klicken Sie noch einmal auf „Abspielen“</translation>
</message>
<message>
<source>no sound: the package miniaudio cannot be imported ({reason}); install it again</source>
<translation>kein Ton: Das Paket miniaudio lässt sich nicht importieren ({reason}); installieren Sie es neu</translation>
</message>
<message>
<source>the audio device is gone; choose or connect one and press play again</source>
<translation>das Audiogerät ist nicht mehr da; wählen oder verbinden Sie eines und klicken Sie noch einmal auf „Abspielen“</translation>
</message>
<message>
<source>this computer offers no MIDI system, so there are no MIDI ports</source>
<translation>dieser Computer hat kein MIDI-System, also gibt es keine MIDI-Ports</translation>
</message>
<message>
<source>MIDI ports need the package python-rtmidi: install musicrel[midi]</source>
<translation>MIDI-Ports brauchen das Paket python-rtmidi: Installieren Sie musicrel[midi]</translation>
</message>
<message>
<source>the MIDI port {name} does not open ({reason}): choose another, or close the program that uses it</source>
<translation>der MIDI-Port {name} lässt sich nicht öffnen ({reason}): Wählen Sie einen anderen oder schließen Sie das Programm, das ihn benutzt</translation>
</message>
<message>
<source>the MIDI port {name} is gone: connect it again or choose another</source>
<translation>der MIDI-Port {name} ist nicht mehr da: Verbinden Sie ihn wieder oder wählen Sie einen anderen</translation>
</message>
<message>
<source>there is no MIDI port: connect an instrument or start the program that has one</source>
<translation>es gibt keinen MIDI-Port: Verbinden Sie ein Instrument oder starten Sie das Programm, das einen hat</translation>
</message>
<message>
<source>steps {start:g}:{stop:g} cannot be repeated: expected a start from 0 and a stop at least {least:g} later</source>
<translation>die Sechzehntel {start:g}:{stop:g} lassen sich nicht wiederholen: erwartet wird ein Anfang ab 0 und ein Ende mindestens {least:g} später</translation>
</message>
<message>
<source>there is no MIDI keyboard: connect one, or start the program that plays</source>
<translation>es gibt kein MIDI-Keyboard: Verbinden Sie eines oder starten Sie das Programm, das spielt</translation>
</message>
<message>
<source>title subtitle composer poet tune copyright key meter pickup tempo</source>
<translation>Titel Untertitel Komponist Dichter Melodie Copyright Tonart Taktart Auftakt Tempo</translation>
</message>
<message>
<source>key change</source>
<translation>Tonartwechsel</translation>
</message>
<message>
<source>tempo change</source>
<translation>Tempowechsel</translation>
</message>
<message>
<source>dynamic</source>
<translation>Dynamik</translation>
</message>
<message>
<source>ritardando</source>
<translation>Ritardando</translation>
</message>
<message>
<source>slur</source>
<translation>Legatobogen</translation>
</message>
<message>
<source>hairpin</source>
<translation>Gabel</translation>
</message>
<message>
<source>All voices</source>
<translation>Alle Stimmen</translation>
</message>
<message>
<source>Lower voices</source>
<translation>Unterstimmen</translation>
</message>
<message>
<source>new note</source>
<translation>neue Note</translation>
</message>
<message>
<source>new notes</source>
<translation>neue Noten</translation>
</message>
<message>
<source>deleted note</source>
<translation>gelöschte Note</translation>
</message>
<message>
<source>deleted notes</source>
<translation>gelöschte Noten</translation>
</message>
<message>
<source>moved note</source>
<translation>verschobene Note</translation>
</message>
<message>
<source>moved notes</source>
<translation>verschobene Noten</translation>
</message>
<message>
<source>joined note</source>
<translation>verbundene Note</translation>
</message>
<message>
<source>joined notes</source>
<translation>verbundene Noten</translation>
</message>
<message>
<source>split note</source>
<translation>geteilte Note</translation>
</message>
<message>
<source>split notes</source>
<translation>geteilte Noten</translation>
</message>
<message>
<source>shorter note</source>
<translation>kürzere Note</translation>
</message>
<message>
<source>shorter notes</source>
<translation>kürzere Noten</translation>
</message>
<message>
<source>longer note</source>
<translation>längere Note</translation>
</message>
<message>
<source>longer notes</source>
<translation>längere Noten</translation>
</message>
<message>
<source>transposed note</source>
<translation>transponierte Note</translation>
</message>
<message>
<source>transposed notes</source>
<translation>transponierte Noten</translation>
</message>
<message>
<source>note</source>
<translation>Note</translation>
</message>
<message>
<source>notes</source>
<translation>Noten</translation>
</message>
<message>
<source>fermata</source>
<translation>Fermate</translation>
</message>
<message>
<source>words</source>
<translation>Text</translation>
</message>
<message>
<source>properties</source>
<translation>Eigenschaften</translation>
</message>
<message>
<source>{notes} in {where}</source>
<translation>{notes}, {where}</translation>
</message>
<message>
<source>{notes} of the {voice} in {where}</source>
<translation>{notes} im {voice}, {where}</translation>
</message>
<message>
<source>the pickup</source>
<translation>Auftakt</translation>
</message>
<message>
<source>the pickup and bar 1</source>
<translation>Auftakt und Takt 1</translation>
</message>
<message>
<source>the pickup to bar {last}</source>
<translation>Auftakt bis Takt {last}</translation>
</message>
<message>
<source>pickup</source>
<translation>Auftakt</translation>
</message>
<message>
<source>pickup and bar 1</source>
<translation>Auftakt und Takt 1</translation>
</message>
<message>
<source>pickup to bar {last}</source>
<translation>Auftakt bis Takt {last}</translation>
</message>
<message>
<source> to </source>
<translation> bis </translation>
</message>
<message>
<source>bar {first}</source>
<translation>Takt {first}</translation>
</message>
<message>
<source>bars {first}{to}{last}</source>
<translation>Takt {first}{to}{last}</translation>
</message>
<message>
<source>replaced</source>
<translation>ersetzt</translation>
</message>
<message>
<source>shortened</source>
<translation>gekürzt</translation>
</message>
<message>
<source>{notes} of the {voice} {what}</source>
<translation>{notes} im {voice} {what}</translation>
</message>
<message>
<source>{bars} added</source>
<translation>{bars} angefügt</translation>
</message>
<message>
<source>{notes} removed</source>
<translation>{notes} entfernt</translation>
</message>
<message>
<source>no note changed</source>
<translation>keine Note geändert</translation>
</message>
<message>
<source>{notes} changed</source>
<translation>{notes} geändert</translation>
</message>
<message>
<source>no violation</source>
<translation>kein Verstoß</translation>
</message>
<message>
<source>{what} here</source>
<translation>hier {what}</translation>
</message>
<message>
<source>cadence</source>
<translation>Kadenz</translation>
</message>
<message>
<source>cadences</source>
<translation>Kadenzen</translation>
</message>
<message>
<source>none</source>
<comment>cadence</comment>
<translation>keine</translation>
</message>
<message>
<source>Candidates with ✕ also break the rule here; they are ranked last.</source>
<translation>Vorschläge mit ✕ verletzen die Regel hier ebenfalls; sie stehen hinten.</translation>
</message>
<message>
<source>All candidates also break the rule here. “Try again” also writes other voices.</source>
<translation>Alle Vorschläge verletzen die Regel hier ebenfalls. „Noch einmal“ schreibt auch andere Stimmen.</translation>
</message>
<message>
<source>0 is the original; candidates are numbered by seed, shown in the tooltip of the row</source>
<translation>0 ist das Original; die Vorschläge sind nach ihrem Startwert nummeriert, den der Tooltip der Zeile zeigt</translation>
</message>
<message>
<source>Nats per rewritten note for the passage and all kept notes after it; lower is likelier</source>
<translation>Nat je neu geschriebene Note, für die Stelle und alle behaltenen Noten danach; weniger ist wahrscheinlicher</translation>
</message>
<message>
<source>Rule
violations</source>
<translation>Regel-
verstöße</translation>
</message>
<message>
<source>Violations of the rules of four-part writing in the whole piece</source>
<translation>Verstöße gegen die Regeln des vierstimmigen Satzes im ganzen Stück</translation>
</message>
<message>
<source>Phrases
closed</source>
<translation>Phrasen
mit Kadenz</translation>
</message>
<message>
<source>Phrase ends of the whole piece with a cadence: authentic, half, plagal or deceptive</source>
<translation>Phrasenenden des ganzen Stücks mit Kadenz: authentisch, Halbschluss, plagal oder Trugschluss</translation>
</message>
<message>
<source>Distance of the whole piece from Bach on eight distributions; lower is nearer</source>
<translation>Abstand des ganzen Stücks von Bach in acht Verteilungen; weniger ist näher</translation>
</message>
<message>
<source>Share of rewritten notes that differ from the original; a candidate without a change is ranked last</source>
<translation>Anteil der neu geschriebenen Noten, die vom Original abweichen; ein Vorschlag ohne Änderung steht hinten</translation>
</message>
<message>
<source>Copied
from Bach</source>
<translation>Von Bach
kopiert</translation>
</message>
<message>
<source>Share of the passage's two-bar segments that occur in the training chorales, in any key</source>
<translation>Anteil der zweitaktigen Abschnitte der Stelle, die in den Trainingschorälen vorkommen, in beliebiger Tonart</translation>
</message>
<message>
<source>violation</source>
<translation>Verstoß</translation>
</message>
<message>
<source>violations</source>
<translation>Verstöße</translation>
</message>
<message>
<source>{meaning} (default: {weight:g})</source>
<translation>{meaning} (Standard: {weight:g})</translation>
</message>
<message>
<source>Also breaks the rule here</source>
<translation>Verletzt die Regel hier ebenfalls</translation>
</message>
<message>
<source>{closed} of {phrases}</source>
<translation>{closed} von {phrases}</translation>
</message>
<message>
<source>{candidates} not completed: {sentence}</source>
<translation>{candidates} nicht fertig: {sentence}</translation>
</message>
<message>
<source>candidate</source>
<translation>Vorschlag</translation>
</message>
<message>
<source>candidates</source>
<translation>Vorschläge</translation>
</message>
<message>
<source>Candidate {number}, seed {seed}</source>
<translation>Vorschlag {number}, Startwert {seed}</translation>
</message>
<message>
<source>The original</source>
<translation>Das Original</translation>
</message>
<message>
<source>{candidate}: score {score:.3f} (lower is better)</source>
<translation>{candidate}: Punktzahl {score:.3f} (weniger ist besser)</translation>
</message>
<message>
<source>Surprisal: {to_end:.3f} nats/note with the notes after the passage, {passage:.3f} in the passage, {piece:.3f} in the whole piece</source>
<translation>Überraschung: {to_end:.3f} Nat/Note mit den Noten nach der Stelle, {passage:.3f} in der Stelle, {piece:.3f} im ganzen Stück</translation>
</message>
<message>
<source>Grade {grade:.2f}</source>
<translation>Abstand von Bach: {grade:.2f}</translation>
</message>
<message>
<source>Changed: {changed:.0%} of notes, by {interval:.1f} semitones on average</source>
<translation>Geändert: {changed:.0%} der Noten, im Mittel um {interval:.1f} Halbtöne</translation>
</message>
<message>
<source>1 quarter</source>
<translation>1 Viertel</translation>
</message>
<message>
<source>{beats:g} quarters</source>
<translation>{beats:g} Viertel</translation>
</message>
<message>
<source>Copied from Bach: {share:.0%} of two-bar segments, at most {run} in a row</source>
<translation>Von Bach kopiert: {share:.0%} der zweitaktigen Abschnitte, höchstens {run} am Stück</translation>
</message>
<message>
<source>Cadences: {kinds}</source>
<translation>Kadenzen: {kinds}</translation>
</message>
<message>
<source>Any cadence</source>
<translation>Beliebige Kadenz</translation>
</message>
<message>
<source>Authentic</source>
<translation>Authentisch</translation>
</message>
<message>
<source>V to I, in the key that the phrase has reached</source>
<translation>V nach I, in der Tonart, die die Phrase erreicht hat</translation>
</message>
<message>
<source>Half</source>
<comment>cadence</comment>
<translation>Halbschluss</translation>
</message>
<message>
<source>Ends on V</source>
<translation>Endet auf V</translation>
</message>
<message>
<source>Plagal</source>
<translation>Plagal</translation>
</message>
<message>
<source>IV to I</source>
<translation>IV nach I</translation>
</message>
<message>
<source>Deceptive</source>
<translation>Trugschluss</translation>
</message>
<message>
<source>V to VI</source>
<translation>V nach VI</translation>
</message>
<message>
<source>As in Bach</source>
<translation>Wie bei Bach</translation>
</message>
<message>
<source>Drawn from Bach’s chorales: four of five begin on the tonic</source>
<translation>Aus Bachs Chorälen ausgelost: Vier von fünf beginnen auf der Tonika</translation>
</message>
<message>
<source>Tonic</source>
<translation>Tonika</translation>
</message>
<message>
<source>The first chord is the tonic triad</source>
<translation>Der erste Akkord ist der Tonikadreiklang</translation>
</message>
<message>
<source>Dominant</source>
<translation>Dominante</translation>
</message>
<message>
<source>The first chord is the dominant</source>
<translation>Der erste Akkord ist die Dominante</translation>
</message>
<message>
<source>Any chord</source>
<translation>Beliebiger Akkord</translation>
</message>
<message>
<source>The first chord is the model’s choice</source>
<translation>Den ersten Akkord wählt das Modell</translation>
</message>
<message>
<source>Drawn like the bars, if these are: A A B for three pieces of eight</source>
<translation>Ausgelost wie die Takte, falls diese es sind: A A B bei drei von acht Stücken</translation>
</message>
<message>
<source>The first phrases are repeated, written out</source>
<translation>Die ersten Phrasen werden wiederholt, ausgeschrieben</translation>
</message>
<message>
<source>Through-composed</source>
<translation>Durchkomponiert</translation>
</message>
<message>
<source>No phrases are repeated</source>
<translation>Keine Phrasen werden wiederholt</translation>
</message>
<message>
<source>This model is not conditioned on bars: pieces are in 4/4.</source>
<translation>Dieses Modell kennt keine Takte: Stücke stehen im 4/4-Takt.</translation>
</message>
<message>
<source>This model is not conditioned on bars: pieces start on the first beat.</source>
<translation>Dieses Modell kennt keine Takte: Stücke beginnen auf der ersten Zählzeit.</translation>
</message>
<message>
<source>This model is not conditioned on a key: it chooses one.</source>
<translation>Diesem Modell lässt sich keine Tonart vorgeben: Es wählt selbst eine.</translation>
</message>
<message>
<source>This model is not conditioned on fermatas.</source>
<translation>Dieses Modell kennt keine Fermaten.</translation>
</message>
<message>
<source>This model is not conditioned on a key: it begins on any chord.</source>
<translation>Diesem Modell lässt sich keine Tonart vorgeben: Es beginnt mit einem beliebigen Akkord.</translation>
</message>
<message>
<source>This model is not conditioned on fermatas, whose phrases come twice.</source>
<translation>Dieses Modell kennt keine Fermaten, deren Phrasen zweimal kommen.</translation>
</message>
<message>
<source>The rule needs a key, and this model chooses its own.</source>
<translation>Die Regel braucht eine Tonart, und dieses Modell wählt seine eigene.</translation>
</message>
<message>
<source>The words give it: remove them from the form to choose another</source>
<translation>Der Text gibt das vor: Entfernen Sie ihn aus dem Formular, um es selbst zu wählen</translation>
</message>
<message>
<source>Phrases of a melody are {phrases!r}: expected whole bars, such as 2,2,4, without fermatas.</source>
<translation>Die Phrasen einer Melodie sind {phrases!r}: Erwartet werden ganze Takte, etwa 2,2,4, ohne Fermaten.</translation>
</message>
<message>
<source>Melody</source>
<translation>Melodie</translation>
</message>
<message>
<source>Voice of the melody, which is transposed into the voice’s range if it lies outside</source>
<translation>Stimme der Melodie; liegt sie außerhalb des Stimmumfangs, wird sie hineintransponiert</translation>
</message>
<message>
<source>the empty sheet</source>
<translation>das leere Blatt</translation>
</message>
<message>
<source>the original</source>
<translation>das Original</translation>
</message>
<message>
<source>the piece as it was</source>
<translation>das Stück, wie es war</translation>
</message>
<message>
<source>every note is locked: unlock at least one voice or bar to rewrite</source>
<translation>alle Noten sind gesperrt: Entsperren Sie mindestens eine Stimme oder einen Takt, um neu zu schreiben</translation>
</message>
<message>
<source>everything selected is locked: select other notes, or unlock some ({key[rewriting.lock]})</source>
<translation>alles Ausgewählte ist gesperrt: Wählen Sie andere Noten aus oder entsperren Sie einige ({key[rewriting.lock]})</translation>
</message>
<message>
<source>All notes around this violation are locked: unlock one of its voices ({key[rewriting.lock]}) to rewrite it</source>
<translation>Alle Noten um diesen Verstoß sind gesperrt: Entsperren Sie eine seiner Stimmen ({key[rewriting.lock]}), um sie neu zu schreiben</translation>
</message>
<message>
<source>the {voice} has no notes: choose another voice or melody</source>
<translation>der {voice} hat keine Noten: Wählen Sie eine andere Stimme oder Melodie</translation>
</message>
<message>
<source>The melody lies outside the range of its voice: {sentence}</source>
<translation>Die Melodie liegt außerhalb ihres Stimmumfangs: {sentence}</translation>
</message>
<message>
<source>quarter</source>
<translation>Viertel</translation>
</message>
<message>
<source>quarters</source>
<translation>Viertel</translation>
</message>
<message>
<source>None</source>
<comment>pickup</comment>
<translation>Keiner</translation>
</message>
<message>
<source>the model’s own distribution</source>
<translation>die eigene Verteilung des Modells</translation>
</message>
<message>
<source>more predictable</source>
<translation>vorhersehbarer</translation>
</message>
<message>
<source>more varied</source>
<translation>abwechslungsreicher</translation>
</message>
<message>
<source>sixteenth</source>
<translation>Sechzehntel</translation>
</message>
<message>
<source>sixteenths</source>
<translation>Sechzehntel</translation>
</message>
<message>
<source>meter {meter}</source>
<translation>Taktart {meter}</translation>
</message>
<message>
<source>a pickup of {length}</source>
<translation>ein Auftakt von {length}</translation>
</message>
<message>
<source>key {key}</source>
<translation>Tonart {key}</translation>
</message>
<message>
<source>temperature {temperature:g}</source>
<translation>Temperatur {temperature:g}</translation>
</message>
<message>
<source>top-p {top_p:g}</source>
<translation>Top-p {top_p:g}</translation>
</message>
<message>
<source>seed {seed}</source>
<translation>Startwert {seed}</translation>
</message>
<message>
<source>the muted heads {heads}</source>
<translation>die stummen Köpfe {heads}</translation>
</message>
<message>
<source>{fact} {made} (here {here})</source>
<translation>{fact} {made} (hier {here})</translation>
</message>
<message>
<source>As the metre suggests</source>
<translation>Wie im Versmaß üblich</translation>
</message>
<message>
<source>On an upbeat in 8.6.8.6, 8.8.8.8 or 7.6.7.6, on the beat in 8.7.8.7 or 7.7.7.7</source>
<translation>Auftaktig in 8.6.8.6, 8.8.8.8 oder 7.6.7.6, volltaktig in 8.7.8.7 oder 7.7.7.7</translation>
</message>
<message>
<source>On an upbeat</source>
<translation>Auftaktig</translation>
</message>
<message>
<source>The first syllable is unstressed</source>
<translation>Die erste Silbe ist unbetont</translation>
</message>
<message>
<source>On the beat</source>
<translation>Volltaktig</translation>
</message>
<message>
<source>The first syllable is stressed</source>
<translation>Die erste Silbe ist betont</translation>
</message>
<message>
<source>the first verse is {metre}, and the metre of {name} is {own}: {expected}</source>
<translation>die erste Strophe hat {metre}, das Versmaß von {name} ist {own}: {expected}</translation>
</message>
<message>
<source>expected a tune of the same metre, of the bundled ones {tunes}</source>
<translation>erwartet wird eine Melodie im selben Versmaß, von den mitgelieferten {tunes}</translation>
</message>
<message>
<source>no bundled tune has this metre</source>
<translation>keine mitgelieferte Melodie hat dieses Versmaß</translation>
</message>
<message>
<source>none</source>
<comment>metre</comment>
<translation>unbekannt</translation>
</message>
<message>
<source>verse {verse}, line {line}: {syllables} for {notes}</source>
<translation>Strophe {verse}, Zeile {line}: {syllables} auf {notes}</translation>
</message>
<message>
<source>syllable</source>
<translation>Silbe</translation>
</message>
<message>
<source>syllables</source>
<translation>Silben</translation>
</message>
<message>
<source>there are no words: expected a text, a line for each phrase</source>
<translation>es gibt keinen Text: Erwartet wird einer mit einer Zeile für jede Phrase</translation>
</message>
<message>
<source>being computed …</source>
<translation>wird berechnet …</translation>
</message>
<message>
<source>matches the card</source>
<translation>stimmt mit der Karte überein</translation>
</message>
<message>
<source>Does not match the card: copy the model again from its source</source>
<translation>Stimmt nicht mit der Karte überein: Kopieren Sie das Modell noch einmal von seiner Quelle</translation>
</message>
<message>
<source>the card has none to compare with</source>
<translation>auf der Karte steht keine zum Vergleichen</translation>
</message>
<message>
<source>the weights cannot be read</source>
<translation>die Gewichte sind nicht lesbar</translation>
</message>
<message>
<source>Imported by you</source>
<translation>Von Ihnen importiert</translation>
</message>
<message>
<source>- Data of the models that it was initialised or distilled from: {before}.</source>
<translation>- Daten der Modelle, mit denen es initialisiert oder aus denen es destilliert wurde: {before}.</translation>
</message>
<message>
<source>, which stays frozen; steps, tokens and minutes are those of the added part.</source>
<translation>, das eingefroren bleibt; Schritte, Token und Minuten sind die des hinzugefügten Teils.</translation>
</message>
<message>
<source>voice, beat, bar, fermata, key, ending, phrase, style, given, soprano, alto, tenor, bass, nats per note, 15 % hidden, 50 % hidden, 85 % hidden, all hidden, soprano given, alto and tenor hidden, two bars hidden</source>
<translation>Stimme, Zählzeit, Takt, Fermate, Tonart, Schluss, Phrase, Stil, Gegebenes, Sopran, Alt, Tenor, Bass, Nat je Note, 15 % verdeckt, 50 % verdeckt, 85 % verdeckt, alles verdeckt, Sopran gegeben, Alt und Tenor verdeckt, zwei Takte verdeckt</translation>
</message>
<message>
<source>the card of {name} cannot be shown: an entry has the wrong type ({reason}); copy the model again from its source</source>
<translation>die Karte von {name} lässt sich nicht anzeigen: Ein Eintrag hat den falschen Typ ({reason}); kopieren Sie das Modell noch einmal von seiner Quelle</translation>
</message>
<message>
<source>Licence: {licence}.</source>
<translation>Lizenz: {licence}.</translation>
</message>
<message>
<source>Architecture</source>
<translation>Aufbau</translation>
</message>
<message>
<source>Training data</source>
<translation>Trainingsdaten</translation>
</message>
<message>
<source>What it was taught</source>
<translation>Was es dazugelernt hat</translation>
</message>
<message>
<source>Loss, {unit}</source>
<translation>Verlust, {unit}</translation>
</message>
<message>
<source>Training</source>
<translation>Training</translation>
</message>
<message>
<source>Limitations</source>
<translation>Grenzen</translation>
</message>
<message>
<source>Reproduction</source>
<translation>Nachvollziehen</translation>
</message>
<message>
<source>two three four</source>
<translation>zwei drei vier</translation>
</message>
<message>
<source>{layers} of width {width}, {heads}</source>
<translation>{layers} der Breite {width}, {heads}</translation>
</message>
<message>
<source>layer</source>
<translation>Schicht</translation>
</message>
<message>
<source>layers</source>
<translation>Schichten</translation>
</message>
<message>
<source>head</source>
<translation>Kopf</translation>
</message>
<message>
<source>heads</source>
<translation>Köpfe</translation>
</message>
<message>
<source>- Positions: {positions}; {layers}; {parameters:,} parameters.</source>
<translation>- Positionen: {positions}; {layers}; {parameters:,} Parameter.</translation>
</message>
<message>
<source>- Vocabulary {vocabulary}; conditioned on {conditions}.</source>
<translation>- Vokabular {vocabulary}; Vorgaben: {conditions}.</translation>
</message>
<message>
<source>nothing</source>
<comment>conditions</comment>
<translation>keine</translation>
</message>
<message>
<source>- Interval embeddings and interval output head.</source>
<translation>- Intervall-Einbettungen und Ausgabekopf für Intervalle.</translation>
</message>
<message>
<source>- Logit biases by rule from {tables} small tables.</source>
<translation>- Logit-Bias nach Regeln aus {tables} kleinen Tabellen.</translation>
</message>
<message>
<source>- {name}; pieces: {sizes} (sha256 {digest}).</source>
<translation>- {name}; Stücke: {sizes} (sha256 {digest}).</translation>
</message>
<message>
<source>unknown</source>
<translation>unbekannt</translation>
</message>
<message>
<source>- Augmented by transposition within the voices' ranges.</source>
<translation>- Vermehrt durch Transposition innerhalb der Stimmumfänge.</translation>
</message>
<message>
<source>- Weights chosen by validation loss; test loss measured once, at the end.</source>
<translation>- Gewichte nach dem Validierungsverlust gewählt; Testverlust einmal gemessen, am Ende.</translation>
</message>
<message>
<source>- {pieces:,} pieces, some of them held out, with Bach's chorales besides.</source>
<translation>- {pieces:,} Stücke, einige davon zurückgehalten, und daneben Bachs Choräle.</translation>
</message>
<message>
<source>before</source>
<translation>vorher</translation>
</message>
<message>
<source>after</source>
<translation>nachher</translation>
</message>
<message>
<source>held-out pieces</source>
<translation>zurückgehaltene Stücke</translation>
</message>
<message>
<source>Bach's chorales</source>
<translation>Bachs Choräle</translation>
</message>
<message>
<source>- On held-out pieces {mean:+.1%} (95 % interval {low:+.1%} to {high:+.1%}).</source>
<translation>- Auf zurückgehaltenen Stücken {mean:+.1%} (95-%-Intervall {low:+.1%} bis {high:+.1%}).</translation>
</message>
<message>
<source>- Copied eight-beat passages in {pieces} new pieces: {share:.1%}.</source>
<translation>- Kopierte Stellen von acht Zählzeiten in {pieces} neuen Stücken: {share:.1%}.</translation>
</message>
<message>
<source>conditioned on</source>
<translation>Vorgaben</translation>
</message>
<message>
<source>validation</source>
<translation>Validierung</translation>
</message>
<message>
<source>test</source>
<translation>Test</translation>
</message>
<message>
<source>test, {measure}</source>
<translation>Test, {measure}</translation>
</message>
<message>
<source>test, by voice</source>
<translation>Test, je Stimme</translation>
</message>
<message>
<source>- {steps:,} steps, {tokens:,} tokens, {minutes:.0f} min on {device}, threads: {threads}; commit {commit}.</source>
<translation>- {steps:,} Schritte, {tokens:,} Token, {minutes:.0f} min auf {device}, Threads: {threads}; Commit {commit}.</translation>
</message>
<message>
<source>an unknown device</source>
<translation>unbekanntem Gerät</translation>
</message>
<message>
<source>- Logit biases calibrated on the model's own samples; rounds: {rounds}.</source>
<translation>- Logit-Bias an eigenen Stücken des Modells kalibriert; Durchgänge: {rounds}.</translation>
</message>
<message>
<source>still falling</source>
<translation>noch fallend</translation>
</message>
<message>
<source>rising</source>
<translation>steigend</translation>
</message>
<message>
<source>- Learning curve at the end: {course} ({slope:+.4f} per million tokens).</source>
<translation>- Lernkurve am Ende: {course} ({slope:+.4f} je Million Token).</translation>
</message>
<message>
<source>flat</source>
<translation>flach</translation>
</message>
<message>
<source>- Initialised from the model {model} (sha256 {digest})</source>
<translation>- Initialisiert mit dem Modell {model} (sha256 {digest})</translation>
</message>
<message>
<source>, trained further here.</source>
<translation>, hier weiter trainiert.</translation>
</message>
<message>
<source>- Distilled from {teachers}: {share:.0%} of the loss is their mean prediction.</source>
<translation>- Destilliert aus {teachers}: {share:.0%} des Verlusts entfallen auf ihre mittlere Vorhersage.</translation>
</message>
<message>
<source>{tokens:,} tokens ({steps} sixteenths)</source>
<translation>{tokens:,} Token ({steps} Sechzehntel)</translation>
</message>
<message>
<source>- Four voices on a sixteenth grid, in the style of {pieces}.</source>
<translation>- Vier Stimmen im Sechzehntelraster, Stil: {pieces}.</translation>
</message>
<message>
<source>the pieces it was taught</source>
<translation>die dazugelernten Stücke</translation>
</message>
<message>
<source>Bach’s chorales only</source>
<translation>nur Bachs Choräle</translation>
</message>
<message>
<source>- Trained on windows of at most {window}; longer pieces are extrapolation.</source>
<translation>- Trainiert auf Fenstern von höchstens {window}; längere Stücke sind Extrapolation.</translation>
</message>
<message>
<source>- Does not see given notes after the note it generates.</source>
<translation>- Sieht keine gegebenen Noten nach der Note, die es schreibt.</translation>
</message>
<message>
<source>- Cannot distinguish a held note from a repeated one.</source>
<translation>- Kann eine gehaltene Note nicht von einer wiederholten unterscheiden.</translation>
</message>
<message>
<source>Press Generate for a chorale in four voices, harmonise a melody ({key[rewriting.harmonise]}), or write notes ({key[rewriting.draw]}).</source>
<translation>„Komponieren“ schreibt einen vierstimmigen Choral. Oder Sie harmonisieren eine Melodie ({key[rewriting.harmonise]}) oder schreiben Noten ({key[rewriting.draw]}).</translation>
</message>
<message>
<source>Causal</source>
<translation>Kausal</translation>
</message>
<message>
<source>Writes</source>
<translation>Schreibt</translation>
</message>
<message>
<source>Generates notes from left to right, conditioned on those before.</source>
<translation>Schreibt Noten von links nach rechts und kennt dabei die vorigen.</translation>
</message>
<message>
<source>Encoder-decoder</source>
<translation>Encoder-Decoder</translation>
</message>
<message>
<source>Rewrites</source>
<translation>Schreibt neu</translation>
</message>
<message>
<source>Generates notes from left to right, conditioned on all given notes.</source>
<translation>Schreibt Noten von links nach rechts und kennt dabei alle gegebenen.</translation>
</message>
<message>
<source>Infill</source>
<translation>Ergänzend</translation>
</message>
<message>
<source>Fills in masked notes from both sides.</source>
<translation>Ergänzt maskierte Noten von beiden Seiten.</translation>
</message>
<message>
<source>nats/masked note</source>
<translation>Nat/maskierte Note</translation>
</message>
<message>
<source>Masked</source>
<translation>Maskiert</translation>
</message>
<message>
<source>Predicts masked tokens from both sides.</source>
<translation>Sagt maskierte Token von beiden Seiten voraus.</translation>
</message>
<message>
<source>nats/masked token</source>
<translation>Nat/maskiertes Token</translation>
</message>
<message>
<source>Classifier</source>
<translation>Klassifikator</translation>
</message>
<message>
<source>Classifies</source>
<translation>Klassifiziert</translation>
</message>
<message>
<source>Classifies sequences.</source>
<translation>Klassifiziert Folgen.</translation>
</message>
<message>
<source>Published</source>
<translation>Veröffentlicht</translation>
</message>
<message>
<source>An arm of the published comparison.</source>
<translation>Eine Variante des veröffentlichten Vergleichs.</translation>
</message>
<message>
<source>This model generates from left to right. It writes several versions side by side and reads ahead in the notes kept after the passage to choose among them, except at draft quality.</source>
<translation>Dieses Modell schreibt von links nach rechts. Es schreibt mehrere Versionen nebeneinander und liest in den behaltenen Noten nach der Stelle voraus, um unter ihnen zu wählen, außer bei der Qualität „Entwurf“.</translation>
</message>
<message>
<source>This model sees the notes before and after the passage and fits its notes to them; candidates are ranked.</source>
<translation>Dieses Modell sieht die Noten vor und nach der Stelle und passt seine Noten daran an; Vorschläge werden geordnet.</translation>
</message>
<message>
<source>Empty sheet</source>
<translation>Leeres Blatt</translation>
</message>
<message>
<source>No model installed</source>
<translation>Kein Modell installiert</translation>
</message>
<message>
<source>Import one with Compose &gt; Models…, or train one.</source>
<translation>Importieren Sie eines mit „Komponieren &gt; Modelle …“ oder trainieren Sie eines.</translation>
</message>
<message>
<source>test run</source>
<translation>Probelauf</translation>
</message>
<message>
<source>{number:.1f} M</source>
<translation>{number:.1f} Mio.</translation>
</message>
<message>
<source>{number:.0f} k</source>
<translation>{number:.0f} Tsd.</translation>
</message>
<message>
<source>{size} parameters</source>
<translation>{size} Parameter</translation>
</message>
<message>
<source>{layers} layers, {heads} heads</source>
<translation>{layers} Schichten, {heads} Köpfe</translation>
</message>
<message>
<source>hidden note</source>
<translation>verdeckte Note</translation>
</message>
<message>
<source>{loss:.3f} nats/{note} on {split}</source>
<translation>{loss:.3f} Nat/{note} ({split})</translation>
</message>
<message>
<source>any</source>
<comment>cadence</comment>
<translation>beliebig</translation>
</message>
<message>
<source>authentic</source>
<translation>authentisch</translation>
</message>
<message>
<source>half</source>
<comment>cadence</comment>
<translation>Halbschluss</translation>
</message>
<message>
<source>plagal</source>
<translation>plagal</translation>
</message>
<message>
<source>deceptive</source>
<translation>Trugschluss</translation>
</message>
<message>
<source>no cadence</source>
<translation>keine Kadenz</translation>
</message>
<message>
<source>{label} in {key}</source>
<translation>{label} in {key}</translation>
</message>
<message>
<source>bars {first} to {last}</source>
<translation>Takt {first} bis {last}</translation>
</message>
<message>
<source>Phrase {number}: {bars}, {cadence}</source>
<translation>Phrase {number}: {bars}, {cadence}</translation>
</message>
<message>
<source>{kind} cadence ({label})</source>
<translation>{kind} ({label})</translation>
</message>
<message>
<source>any cadence</source>
<translation>beliebige Kadenz</translation>
</message>
<message>
<source>no cadence found</source>
<translation>keine Kadenz gefunden</translation>
</message>
<message>
<source>half cadence</source>
<translation>Halbschluss</translation>
</message>
<message>
<source>{tonic}m</source>
<translation>{tonic}</translation>
</message>
<message>
<source>No phrases</source>
<translation>Keine Phrasen</translation>
</message>
<message>
<source>{phrases} of {bars} bars</source>
<translation>{phrases} zu {bars} Takten</translation>
</message>
<message>
<source>phrase</source>
<translation>Phrase</translation>
</message>
<message>
<source>phrases</source>
<translation>Phrasen</translation>
</message>
<message>
<source>centre</source>
<translation>Mitte</translation>
</message>
<message>
<source>{share} % left</source>
<translation>{share} % links</translation>
</message>
<message>
<source>{share} % right</source>
<translation>{share} % rechts</translation>
</message>
<message>
<source>the pickup is {beats:g} beats: expected a whole number of sixteenths, {sixteenth:g} beats each</source>
<translation>der Auftakt hat {beats:g} Zählzeiten: Erwartet wird eine ganze Zahl von Sechzehnteln zu je {sixteenth:g} Zählzeiten</translation>
</message>
<message>
<source>the pickup is {pickup:g} beats: expected less than a bar of {meter}</source>
<translation>der Auftakt hat {pickup:g} Zählzeiten: Erwartet wird weniger als ein {meter}-Takt</translation>
</message>
<message>
<source>Choose another key first.</source>
<translation>Wählen Sie zuerst eine andere Tonart.</translation>
</message>
<message>
<source>Notes cannot be transposed to an unknown key.</source>
<translation>Noten lassen sich nicht in eine unbekannte Tonart transponieren.</translation>
</message>
<message>
<source>by {writer}</source>
<translation>von {writer}</translation>
</message>
<message>
<source>Model</source>
<translation>Modell</translation>
</message>
<message>
<source>The model that wrote the piece</source>
<translation>Das Modell, das das Stück geschrieben hat</translation>
</message>
<message>
<source>Notes</source>
<translation>Noten</translation>
</message>
<message>
<source>Number of notes in all four voices</source>
<translation>Zahl der Noten in allen vier Stimmen</translation>
</message>
<message>
<source>{loss:.3f} nats/note</source>
<translation>{loss:.3f} Nat/Note</translation>
</message>
<message>
<source>Surprisal of the piece for the model that wrote it: the mean of -ln p over the sixteenths of all voices, held notes too; lower is more predictable</source>
<translation>Überraschung des Stücks für das Modell, das es geschrieben hat: das Mittel von −ln p über die Sechzehntel aller Stimmen, gehaltene Noten eingeschlossen; niedriger ist vorhersehbarer</translation>
</message>
<message>
<source>Generated in</source>
<translation>Komponiert in</translation>
</message>
<message>
<source>{tokens:,} tokens, {rate}</source>
<translation>{tokens:,} Token, {rate}</translation>
</message>
<message>
<source>Seed</source>
<translation>Startwert</translation>
</message>
<message>
<source>The same seed gives the same notes</source>
<translation>Derselbe Startwert ergibt dieselben Noten</translation>
</message>
<message>
<source>{number} tokens/s</source>
<translation>{number} Token/s</translation>
</message>
<message>
<source>Type or paste a text first</source>
<translation>Geben Sie zuerst einen Text ein oder fügen Sie einen ein</translation>
</message>
<message>
<source>Every syllable has a note.</source>
<translation>Jede Silbe hat eine Note.</translation>
</message>
<message>
<source>{misfits} of {lines} does not fit.</source>
<translation>{misfits} von {lines} passt nicht.</translation>
</message>
<message>
<source>{misfits} of {lines} do not fit.</source>
<translation>{misfits} von {lines} passen nicht.</translation>
</message>
<message>
<source> Extra syllables share the last note of their line; where there are too few, some are held longer.</source>
<translation> Überzählige Silben teilen sich die letzte Note ihrer Zeile; wo es zu wenige sind, werden einige länger gehalten.</translation>
</message>
<message>
<source> The melody has no notes for {lines}: it is left out.</source>
<translation> Für {lines} hat die Melodie keine Noten: Sie fällt weg.</translation>
</message>
<message>
<source> The melody has no notes for {lines}: they are left out.</source>
<translation> Für {lines} hat die Melodie keine Noten: Sie fallen weg.</translation>
</message>
<message>
<source>{syllables} for {notes}</source>
<translation>{syllables} auf {notes}</translation>
</message>
<message>
<source>{over} too many: the last ones share a note</source>
<translation>{over} zu viel: Die letzten teilen sich eine Note</translation>
</message>
<message>
<source>The melody has no notes left for this line, which is left out</source>
<translation>Für diese Zeile hat die Melodie keine Noten mehr; sie fällt weg</translation>
</message>
<message>
<source>{under} too few: some are held over a beat</source>
<translation>{under} zu wenig: Einige werden über eine Zählzeit gehalten</translation>
</message>
<message>
<source>; verse {verse}: {metre}</source>
<translation>; Strophe {verse}: {metre}</translation>
</message>
<message>
<source>The text has {verses} verses: expected at most {most}</source>
<translation>Der Text hat {verses} Strophen: Erwartet werden höchstens {most}</translation>
</message>
<message>
<source>line</source>
<translation>Zeile</translation>
</message>
<message>
<source>lines</source>
<translation>Zeilen</translation>
</message>
<message>
<source>; {verses} differ</source>
<translation>; abweichend: {verses}</translation>
</message>
<message>
<source>more verse</source>
<translation>weitere Strophe</translation>
</message>
<message>
<source>more verses</source>
<translation>weitere Strophen</translation>
</message>
<message>
<source>MP3 audio</source>
<translation>MP3-Audio</translation>
</message>
<message>
<source>Ogg Vorbis audio</source>
<translation>Ogg-Vorbis-Audio</translation>
</message>
<message>
<source>WAV audio</source>
<translation>WAV-Audio</translation>
</message>
<message>
<source>MIDI file</source>
<translation>MIDI-Datei</translation>
</message>
<message>
<source>the {voice} has no notes</source>
<translation>der {voice} hat keine Noten</translation>
</message>
<message>
<source>no voice is left without the {voice}</source>
<translation>ohne den {voice} bleibt keine Stimme</translation>
</message>
<message>
<source>there is nothing to practise: {why}; choose another voice</source>
<translation>es gibt nichts zu üben: {why}; wählen Sie eine andere Stimme</translation>
</message>
<message>
<source>no file “{name}”: {reason}</source>
<translation>keine Datei „{name}“: {reason}</translation>
</message>
<message>
<source>{name} is not exported</source>
<translation>{name} wird nicht exportiert</translation>
</message>
<message>
<source>{path} is neither audio nor MIDI: expected a name that ends in {suffixes} or {suffix}</source>
<translation>{path} ist weder Audio noch MIDI: Erwartet wird ein Name mit der Endung {suffixes} oder {suffix}</translation>
</message>
<message>
<source>Exported {takes} as {files} to {folder}</source>
<translation>{takes} als {files} nach {folder} exportiert</translation>
</message>
<message>
<source>; “{name}” is not among them as {suffix}: {reason}</source>
<translation>; „{name}“ ist nicht als {suffix} dabei: {reason}</translation>
</message>
<message>
<source>file</source>
<translation>Datei</translation>
</message>
<message>
<source>files</source>
<translation>Dateien</translation>
</message>
<message>
<source>only {written} of {files} were exported: {reason}</source>
<translation>nur {written} von {files} exportiert: {reason}</translation>
</message>
<message>
<source>take</source>
<translation>Fassung</translation>
</message>
<message>
<source>takes</source>
<translation>Fassungen</translation>
</message>
<message>
<source>Everything is locked</source>
<translation>Alles ist gesperrt</translation>
</message>
<message>
<source>part of {voices}</source>
<translation>teilweise {voices}</translation>
</message>
<message>
<source>Locked: {parts}</source>
<translation>Gesperrt: {parts}</translation>
</message>
<message>
<source>parts of all voices</source>
<translation>Teile aller Stimmen</translation>
</message>
<message>
<source>notes at {places}</source>
<translation>Noten bei {places}</translation>
</message>
<message>
<source>No rule violations</source>
<translation>Keine Regelverstöße</translation>
</message>
<message>
<source>Source: {book}</source>
<translation>Quelle: {book}</translation>
</message>
<message>
<source>no</source>
<comment>titles of rules keep their capitals inside a sentence</comment>
<translation>yes</translation>
</message>
<message>
<source>{title}: {number}, {rate:.2f} {unit}, Bach {bach:.2f}</source>
<translation>{title}: {number}, {rate:.2f} {unit}, Bach {bach:.2f}</translation>
</message>
<message>
<source>New: {what}</source>
<translation>Neu: {what}</translation>
</message>
<message>
<source>Fixed: {what}</source>
<translation>Behoben: {what}</translation>
</message>
<message>
<source>{n} new</source>
<translation>{n} neu</translation>
</message>
<message>
<source>{n} fixed</source>
<translation>{n} behoben</translation>
</message>
<message>
<source>{piece}: {own:.2f} nats per note under itself, {other:.2f} under {model}</source>
<translation>{piece}: {own:.2f} Nat je Note nach dem eigenen Modell, {other:.2f} nach {model}</translation>
</message>
<message>
<source>No notes to compare yet</source>
<translation>Noch keine Noten zu vergleichen</translation>
</message>
<message>
<source>All notes agree</source>
<translation>Alle Noten stimmen überein</translation>
</message>
<message>
<source>{percent} of notes agree; first difference {place}</source>
<translation>{percent} der Noten stimmen überein; erster Unterschied: {place}</translation>
</message>
<message>
<source>rule violation</source>
<translation>Regelverstoß</translation>
</message>
<message>
<source>rule violations</source>
<translation>Regelverstöße</translation>
</message>
<message>
<source>cadences at {closed} of {ends}{kinds}</source>
<translation>Kadenzen an {closed} von {ends}{kinds}</translation>
</message>
<message>
<source>phrase end</source>
<translation>Phrasenende</translation>
</message>
<message>
<source>phrase ends</source>
<translation>Phrasenenden</translation>
</message>
<message>
<source>A and B are both {first}: choose another model under A/B</source>
<translation>A und B sind beide {first}: Wählen Sie unter A/B ein anderes Modell</translation>
</message>
<message>
<source>{second} cannot do the same as {first}, and no model like it is installed</source>
<translation>{second} kann nicht dasselbe wie {first}, und ein entsprechendes Modell ist nicht installiert</translation>
</message>
<message>
<source>Test run</source>
<translation>Probelauf</translation>
</message>
<message>
<source>Attention memory</source>
<translation>Speicherbedarf</translation>
</message>
<message>
<source>Quick study</source>
<translation>Kurze Studie</translation>
</message>
<message>
<source>Byte sequences</source>
<translation>Bytefolgen</translation>
</message>
<message>
<source>Published comparison</source>
<translation>Veröffentlichter Vergleich</translation>
</message>
<message>
<source>Window lengths</source>
<translation>Fensterlängen</translation>
</message>
<message>
<source>Full study</source>
<translation>Große Studie</translation>
</message>
<message>
<source>Window lengths (GPU)</source>
<translation>Fensterlängen (GPU)</translation>
</message>
<message>
<source>About 2 min</source>
<translation>Etwa 2 min</translation>
</message>
<message>
<source>About 5 min, no training</source>
<translation>Etwa 5 min, kein Training</translation>
</message>
<message>
<source>About 20 min</source>
<translation>Etwa 20 min</translation>
</message>
<message>
<source>About 1 h 30 min</source>
<translation>Etwa 1 h 30 min</translation>
</message>
<message>
<source>About 3 h</source>
<translation>Etwa 3 h</translation>
</message>
<message>
<source>A night</source>
<translation>Eine Nacht</translation>
</message>
<message>
<source>Not timed, needs a GPU</source>
<translation>Nicht gemessen, braucht eine GPU</translation>
</message>
<message>
<source>benchmark</source>
<translation>Vergleich</translation>
</message>
<message>
<source>Hymns</source>
<translation>Kirchenlieder</translation>
</message>
<message>
<source>writes</source>
<translation>schreibt</translation>
</message>
<message>
<source>Relative</source>
<translation>Relativ</translation>
</message>
<message>
<source>rewrites</source>
<translation>schreibt neu</translation>
</message>
<message>
<source>Vanilla</source>
<translation>Vanilla</translation>
</message>
<message>
<source>Byte sequences, source data</source>
<translation>Bytefolgen, Ausgangsdaten</translation>
</message>
<message>
<source>Relative, base</source>
<translation>Relativ, Basis</translation>
</message>
<message>
<source>Relative, distilled</source>
<translation>Relativ, destilliert</translation>
</message>
<message>
<source>Relative, harmoniser</source>
<translation>Relativ, Harmonisierer</translation>
</message>
<message>
<source>Relative, with hymns</source>
<translation>Relativ, mit Kirchenliedern</translation>
</message>
<message>
<source>Relative, infilling</source>
<translation>Relativ, ergänzend</translation>
</message>
<message>
<source>Relative, infilling, base</source>
<translation>Relativ, ergänzend, Basis</translation>
</message>
<message>
<source>Relative, infilling, distilled</source>
<translation>Relativ, ergänzend, destilliert</translation>
</message>
<message>
<source>Relative, infilling, with hymns</source>
<translation>Relativ, ergänzend, mit Kirchenliedern</translation>
</message>
<message>
<source>Relative, infilling, taught</source>
<translation>Relativ, ergänzend, weiter trainiert</translation>
</message>
<message>
<source>Relative, infilling, teacher</source>
<translation>Relativ, ergänzend, Lehrer</translation>
</message>
<message>
<source>Relative, JSB</source>
<translation>Relativ, JSB</translation>
</message>
<message>
<source>Relative, JSB, base</source>
<translation>Relativ, JSB, Basis</translation>
</message>
<message>
<source>Relative, JSB, distilled</source>
<translation>Relativ, JSB, destilliert</translation>
</message>
<message>
<source>Relative, JSB, distilled twice</source>
<translation>Relativ, JSB, zweimal destilliert</translation>
</message>
<message>
<source>Relative, JSB, narrow</source>
<translation>Relativ, JSB, schmal</translation>
</message>
<message>
<source>Relative, JSB, not transposed</source>
<translation>Relativ, JSB, nicht transponiert</translation>
</message>
<message>
<source>Relative, JSB, wide</source>
<translation>Relativ, JSB, breit</translation>
</message>
<message>
<source>Relative, taught</source>
<translation>Relativ, weiter trainiert</translation>
</message>
<message>
<source>Relative, teacher</source>
<translation>Relativ, Lehrer</translation>
</message>
<message>
<source>Tiny</source>
<translation>Winzig</translation>
</message>
<message>
<source>Tiny, masked</source>
<translation>Winzig, maskiert</translation>
</message>
<message>
<source>Transformer-XL, infilling, teacher</source>
<translation>Transformer-XL, ergänzend, Lehrer</translation>
</message>
<message>
<source>Transformer-XL, JSB, base</source>
<translation>Transformer-XL, JSB, Basis</translation>
</message>
<message>
<source>Transformer-XL, teacher</source>
<translation>Transformer-XL, Lehrer</translation>
</message>
<message>
<source>Vanilla, base</source>
<translation>Vanilla, Basis</translation>
</message>
<message>
<source>Vanilla, distilled</source>
<translation>Vanilla, destilliert</translation>
</message>
<message>
<source>Vanilla, with hymns</source>
<translation>Vanilla, mit Kirchenliedern</translation>
</message>
<message>
<source>Vanilla, infilling</source>
<translation>Vanilla, ergänzend</translation>
</message>
<message>
<source>Vanilla, infilling, base</source>
<translation>Vanilla, ergänzend, Basis</translation>
</message>
<message>
<source>Vanilla, JSB</source>
<translation>Vanilla, JSB</translation>
</message>
<message>
<source>Vanilla, JSB, base</source>
<translation>Vanilla, JSB, Basis</translation>
</message>
<message>
<source>Vanilla, JSB, distilled</source>
<translation>Vanilla, JSB, destilliert</translation>
</message>
<message>
<source>Vanilla, JSB, distilled twice</source>
<translation>Vanilla, JSB, zweimal destilliert</translation>
</message>
<message>
<source>Vanilla, JSB, narrow</source>
<translation>Vanilla, JSB, schmal</translation>
</message>
<message>
<source>Vanilla, JSB, not transposed</source>
<translation>Vanilla, JSB, nicht transponiert</translation>
</message>
<message>
<source>Vanilla, JSB, wide</source>
<translation>Vanilla, JSB, breit</translation>
</message>
<message>
<source>Vanilla, taught</source>
<translation>Vanilla, weiter trainiert</translation>
</message>
<message>
<source>Relative bias (T5)</source>
<translation>Relativer Bias (T5)</translation>
</message>
<message>
<source>Data-aware rotary (DaRoPE)</source>
<translation>Datenabhängig rotierend (DaRoPE)</translation>
</message>
<message>
<source>Function of the distance (FIRE)</source>
<translation>Funktion des Abstands (FIRE)</translation>
</message>
<message>
<source>Forgetting (FoX)</source>
<translation>Vergessend (FoX)</translation>
</message>
<message>
<source>High-frequency rotary (HoPE)</source>
<translation>Hochfrequent rotierend (HoPE)</translation>
</message>
<message>
<source>Logarithmic (KERPLE)</source>
<translation>Logarithmisch (KERPLE)</translation>
</message>
<message>
<source>Learned</source>
<translation>Gelernt</translation>
</message>
<message>
<source>Learned, from sinusoids</source>
<translation>Gelernt, aus Sinuskurven</translation>
</message>
<message>
<source>Musical rotary</source>
<translation>Musikalisch rotierend</translation>
</message>
<message>
<source>No positions</source>
<translation>Ohne Positionen</translation>
</message>
<message>
<source>Polar (PoPE)</source>
<translation>Polar (PoPE)</translation>
</message>
<message>
<source>Polar (PoPE), with decay</source>
<translation>Polar (PoPE), abklingend</translation>
</message>
<message>
<source>Relative (as published)</source>
<translation>Relativ (wie veröffentlicht)</translation>
</message>
<message>
<source>Relative (corrected)</source>
<translation>Relativ (korrigiert)</translation>
</message>
<message>
<source>Rotary (RoPE)</source>
<translation>Rotierend (RoPE)</translation>
</message>
<message>
<source>Rotary (RoPE), with decay</source>
<translation>Rotierend (RoPE), abklingend</translation>
</message>
<message>
<source>Sinusoidal</source>
<translation>Sinusförmig</translation>
</message>
<message>
<source>Sinusoidal (concatenated)</source>
<translation>Sinusförmig (angehängt)</translation>
</message>
<message>
<source>Relative (corrected, 0.02)</source>
<translation>Relativ (korrigiert, 0,02)</translation>
</message>
<message>
<source>Relative (skewed)</source>
<translation>Relativ (geschert)</translation>
</message>
<message>
<source>Relative (tiled)</source>
<translation>Relativ (gekachelt)</translation>
</message>
<message>
<source>Shaw (explicit)</source>
<translation>Shaw (explizit)</translation>
</message>
<message>
<source>whole pieces</source>
<translation>ganze Stücke</translation>
</message>
<message>
<source>{heads}: replaced by {replacement} while {model} generates notes. Mute and unmute heads on the Attention page; all are unmuted in another document.</source>
<translation>{heads}: ersetzt durch {replacement}, während {model} Noten schreibt. Köpfe schalten Sie auf der Seite „Aufmerksamkeit“ stumm und wieder ein; in einem anderen Dokument sind alle eingeschaltet.</translation>
</message>
<message>
<source>their mean output</source>
<translation>ihre mittlere Ausgabe</translation>
</message>
<message>
<source>head {codes}</source>
<translation>Kopf {codes}</translation>
</message>
<message>
<source>heads {codes}</source>
<translation>Köpfe {codes}</translation>
</message>
<message>
<source>layer {codes}</source>
<translation>Schicht {codes}</translation>
</message>
<message>
<source>layers {codes}</source>
<translation>Schichten {codes}</translation>
</message>
<message>
<source> (by zero)</source>
<translation> (durch null)</translation>
</message>
<message>
<source>Muted in {model}: {named}{by}</source>
<translation>Stumm in {model}: {named}{by}</translation>
</message>
<message>
<source>C C♯ D D♯ E F F♯ G G♯ A A♯ B</source>
<translation>C Cis D Dis E F Fis G Gis A Ais H</translation>
</message>
<message>
<source>C D♭ D E♭ E F G♭ G A♭ A B♭ B</source>
<translation>C Des D Es E F Ges G As A B H</translation>
</message>
<message>
<source>F♭♭ C♭♭ G♭♭ D♭♭ A♭♭ E♭♭ B♭♭ F♭ C♭ G♭ D♭ A♭ E♭ B♭ F C G D A E B F♯ C♯ G♯ D♯ A♯ E♯ B♯ F♯♯ C♯♯ G♯♯ D♯♯ A♯♯ E♯♯ B♯♯</source>
<translation>Feses Ceses Geses Deses Asas Eses Heses Fes Ces Ges Des As Es B F C G D A E H Fis Cis Gis Dis Ais Eis His Fisis Cisis Gisis Disis Aisis Eisis Hisis</translation>
</message>
<message>
<source>eighth</source>
<translation>Achtel</translation>
</message>
<message>
<source>dotted eighth</source>
<translation>punktierte Achtel</translation>
</message>
<message>
<source>dotted quarter</source>
<translation>punktierte Viertel</translation>
</message>
<message>
<source>double-dotted quarter</source>
<translation>doppelt punktierte Viertel</translation>
</message>
<message>
<source>half</source>
<translation>Halbe</translation>
</message>
<message>
<source>dotted half</source>
<translation>punktierte Halbe</translation>
</message>
<message>
<source>whole</source>
<translation>Ganze</translation>
</message>
<message>
<source>dotted whole</source>
<translation>punktierte Ganze</translation>
</message>
<message>
<source>{steps} sixteenths</source>
<translation>{steps} Sechzehntel</translation>
</message>
<message>
<source>bar {bar}, beat {beat}</source>
<translation>Takt {bar}, Zählzeit {beat}</translation>
</message>
<message>
<source>pickup, beat {beat}</source>
<translation>Auftakt, Zählzeit {beat}</translation>
</message>
<message>
<source>{first} to {last}</source>
<translation>{first} bis {last}</translation>
</message>
<message>
<source>bar {bar}, beats {first} to {last}</source>
<translation>Takt {bar}, Zählzeit {first} bis {last}</translation>
</message>
<message>
<source>pickup, beats {first} to {last}</source>
<translation>Auftakt, Zählzeit {first} bis {last}</translation>
</message>
<message>
<source>Compose</source>
<translation>Komponieren</translation>
</message>
<message>
<source>Generate and edit chorales</source>
<translation>Choräle komponieren und bearbeiten</translation>
</message>
<message>
<source>Attention</source>
<translation>Aufmerksamkeit</translation>
</message>
<message>
<source>Inspect the attention of a model</source>
<translation>Die Aufmerksamkeit eines Modells untersuchen</translation>
</message>
<message>
<source>Experiment</source>
<translation>Experiment</translation>
</message>
<message>
<source>Train and compare models</source>
<translation>Modelle trainieren und vergleichen</translation>
</message>
<message>
<source>not installed</source>
<translation>nicht installiert</translation>
</message>
<message>
<source>is not a regular file (it is a link, folder, device or pipe)</source>
<translation>ist keine gewöhnliche Datei (sondern eine Verknüpfung, ein Ordner, ein Gerät oder eine Pipe)</translation>
</message>
<message>
<source>has {size:,} bytes, more than {limit:,}</source>
<translation>hat {size:,} Byte, mehr als {limit:,}</translation>
</message>
<message>
<source>cannot use {path}: {name} beside it {reason}; move it to another folder</source>
<translation>{path} lässt sich nicht benutzen: {name} daneben {reason}; verschieben Sie diese Datei in einen anderen Ordner</translation>
</message>
<message>
<source>another program is changing it; try again</source>
<translation>ein anderes Programm ändert die Datei gerade; versuchen Sie es noch einmal</translation>
</message>
<message>
<source>cannot read {path}: {reason}</source>
<translation>{path} lässt sich nicht lesen: {reason}</translation>
</message>
<message>
<source>cannot write {path}: {reason}</source>
<translation>{path} lässt sich nicht schreiben: {reason}</translation>
</message>
<message>
<source>{path} has {size:,} bytes, but at most {limit:,} are read here</source>
<translation>{path} hat {size:,} Byte, hier werden höchstens {limit:,} gelesen</translation>
</message>
<message>
<source>another program is using it</source>
<translation>ein anderes Programm benutzt die Datei</translation>
</message>
<message>
<source>it is damaged</source>
<translation>die Datei ist beschädigt</translation>
</message>
<message>
<source>it is write-protected</source>
<translation>schreibgeschützt</translation>
</message>
<message>
<source>it is not a musicrel project</source>
<translation>die Datei ist kein musicrel-Projekt</translation>
</message>
<message>
<source>it cannot be opened</source>
<translation>die Datei lässt sich nicht öffnen</translation>
</message>
<message>
<source>{folder} has no room for a copy</source>
<translation>in {folder} ist kein Platz für eine Kopie</translation>
</message>
<message>
<source>cannot write {path}: {log} beside it may hold edits of a project that was moved; move {log} to another folder, or choose another name</source>
<translation>{path} lässt sich nicht schreiben: {log} daneben enthält vielleicht Änderungen eines verschobenen Projekts; verschieben Sie {log} in einen anderen Ordner oder wählen Sie einen anderen Namen</translation>
</message>
<message>
<source>{name} can only be read: it or its folder is write-protected</source>
<translation>{name} lässt sich nur lesen: Die Datei oder ihr Ordner ist schreibgeschützt</translation>
</message>
<message>
<source>its folder is write-protected</source>
<translation>ihr Ordner ist schreibgeschützt</translation>
</message>
<message>
<source>there is no such file</source>
<translation>es gibt keine solche Datei</translation>
</message>
<message>
<source>it is no regular file, expected a musicrel project</source>
<translation>sie ist keine gewöhnliche Datei, erwartet wird ein musicrel-Projekt</translation>
</message>
<message>
<source>it is a folder, expected a musicrel project</source>
<translation>das ist ein Ordner, erwartet wird ein musicrel-Projekt</translation>
</message>
<message>
<source>it is empty</source>
<translation>die Datei ist leer</translation>
</message>
<message>
<source>you have no permission to read it</source>
<translation>Sie haben kein Recht, die Datei zu lesen</translation>
</message>
<message>
<source>another program is using it; choose another name</source>
<translation>ein anderes Programm benutzt die Datei; wählen Sie einen anderen Namen</translation>
</message>
<message>
<source>{path} would have {size:,} bytes with the log beside it, but at most {limit:,} are read here</source>
<translation>{path} hätte mit dem Protokoll daneben {size:,} Byte, hier werden höchstens {limit:,} gelesen</translation>
</message>
<message>
<source>a piece would have {size:,} bytes, more than {most:,}</source>
<translation>ein Stück hätte {size:,} Byte, mehr als {most:,}</translation>
</message>
<message>
<source>; save the project under another name</source>
<translation>; speichern Sie das Projekt unter einem anderen Namen</translation>
</message>
<message>
<source>{name} can only be read: {reason}</source>
<translation>{name} lässt sich nur lesen: {reason}</translation>
</message>
<message>
<source>it was moved, deleted or replaced</source>
<translation>die Datei wurde verschoben, gelöscht oder ersetzt</translation>
</message>
<message>
<source>it is the open project; choose another name</source>
<translation>das ist das geöffnete Projekt; wählen Sie einen anderen Namen</translation>
</message>
<message>
<source>{name} is closed</source>
<translation>{name} ist geschlossen</translation>
</message>
<message>
<source>another program has changed it</source>
<translation>ein anderes Programm hat die Datei geändert</translation>
</message>
<message>
<source>its database is damaged ({answer})</source>
<translation>die Datenbank ist beschädigt ({answer})</translation>
</message>
<message>
<source>{name} was written by a newer version: update musicrel to change it</source>
<translation>{name} stammt von einer neueren Version: Aktualisieren Sie musicrel, um das Projekt zu ändern</translation>
</message>
<message>
<source>{name} is damaged and stays as it is: save what is left under another name</source>
<translation>{name} ist beschädigt und bleibt, wie es ist: Speichern Sie, was übrig ist, unter einem anderen Namen</translation>
</message>
<message>
<source>{name} was opened for reading</source>
<translation>{name} wurde nur zum Lesen geöffnet</translation>
</message>
<message>
<source>Take {number}</source>
<translation>Fassung {number}</translation>
</message>
<message>
<source>the file is damaged</source>
<translation>die Datei ist beschädigt</translation>
</message>
<message>
<source>its contents would need far too much memory for a project</source>
<translation>der Inhalt bräuchte viel zu viel Speicher für ein Projekt</translation>
</message>
<message>
<source>{counted} cannot be read</source>
<translation>{counted} nicht lesbar</translation>
</message>
<message>
<source>Undo step</source>
<translation>Rückgängig-Schritt</translation>
</message>
<message>
<source>Undo steps</source>
<translation>Rückgängig-Schritte</translation>
</message>
<message>
<source>setting</source>
<translation>Einstellung</translation>
</message>
<message>
<source>settings</source>
<translation>Einstellungen</translation>
</message>
<message>
<source>generated</source>
<translation>komponiert</translation>
</message>
<message>
<source>rewritten</source>
<translation>neu geschrieben</translation>
</message>
<message>
<source>varied</source>
<translation>variiert</translation>
</message>
<message>
<source>continued</source>
<translation>fortgesetzt</translation>
</message>
<message>
<source>harmonised</source>
<translation>harmonisiert</translation>
</message>
<message>
<source>edited</source>
<translation>bearbeitet</translation>
</message>
<message>
<source>recorded</source>
<translation>aufgenommen</translation>
</message>
<message>
<source>opened</source>
<translation>geöffnet</translation>
</message>
<message>
<source>{title}, harmonised</source>
<translation>{title}, harmonisiert</translation>
</message>
<message>
<source>Added {bars}</source>
<translation>{bars} angefügt</translation>
</message>
<message>
<source>Unchanged</source>
<translation>Unverändert</translation>
</message>
<message>
<source>All takes</source>
<translation>Alle Fassungen</translation>
</message>
<message>
<source>Accepted</source>
<translation>Übernommen</translation>
</message>
<message>
<source>Rated</source>
<translation>Bewertet</translation>
</message>
<message>
<source>Newest</source>
<translation>Neueste</translation>
</message>
<message>
<source>Oldest</source>
<translation>Älteste</translation>
</message>
<message>
<source>Best rated</source>
<translation>Beste Bewertung</translation>
</message>
<message>
<source>By name</source>
<translation>Nach Name</translation>
</message>
<message>
<source>rated {rating} of {most}</source>
<translation>mit {rating} von {most} bewertet</translation>
</message>
<message>
<source>not rated</source>
<translation>nicht bewertet</translation>
</message>
<message>
<source>current take</source>
<translation>aktuelle Fassung</translation>
</message>
<message>
<source>{writer} · seed {seed}</source>
<translation>{writer} · Startwert {seed}</translation>
</message>
<message>
<source>{action} from “{name}”</source>
<translation>{action} nach „{name}“</translation>
</message>
<message>
<source>it is a device or a pipe, not a file</source>
<translation>es ist ein Gerät oder eine Pipe, keine Datei</translation>
</message>
<message>
<source>its first tune has {size:,} characters, but at most {most:,} are read here</source>
<translation>ihre erste Melodie hat {size:,} Zeichen, hier werden höchstens {most:,} gelesen</translation>
</message>
<message>
<source>a group of grace notes has no end: expected } after {</source>
<translation>eine Gruppe von Vorschlagsnoten hat kein Ende: erwartet wird } nach {</translation>
</message>
<message>
<source>it is not ABC notation, or damaged: {problem}</source>
<translation>die Datei ist keine ABC-Notation oder beschädigt: {problem}</translation>
</message>
<message>
<source>a note or rest has the length {length}: expected at most four digits</source>
<translation>eine Note oder Pause hat die Länge {length}: erwartet werden höchstens vier Ziffern</translation>
</message>
<message>
<source>cannot write {path}: the package soundfile cannot be loaded ({reason}); install it again, or choose a name that ends in .wav</source>
<translation>{path} lässt sich nicht schreiben: Das Paket soundfile lässt sich nicht laden ({reason}); installieren Sie es neu oder wählen Sie einen Namen, der auf .wav endet</translation>
</message>
<message>
<source>the piece lasts {minutes:,.0f} minutes: a WAV file holds at most {most:,.0f}; choose a faster tempo or export a part of it</source>
<translation>das Stück dauert {minutes:,.0f} Minuten: Eine WAV-Datei fasst höchstens {most:,.0f}; wählen Sie ein schnelleres Tempo oder exportieren Sie nur einen Teil</translation>
</message>
<message>
<source>All instruments but choir and organ need FluidSynth, which is not installed: run pip install "musicrel[soundfont]", and sudo apt install libfluidsynth3 (Debian, Ubuntu), brew install fluid-synth (macOS) or choco install fluidsynth (Windows)</source>
<translation>Alle Instrumente außer Chor und Orgel brauchen FluidSynth, das nicht installiert ist: Führen Sie pip install "musicrel[soundfont]" aus und sudo apt install libfluidsynth3 (Debian, Ubuntu), brew install fluid-synth (macOS) oder choco install fluidsynth (Windows)</translation>
</message>
<message>
<source>the SoundFont {path} is damaged: choose another .sf2 file</source>
<translation>der SoundFont {path} ist beschädigt: Wählen Sie eine andere .sf2-Datei</translation>
</message>
<message>
<source>the SoundFont {path} has no {instrument} (program {program}): choose another .sf2 file or another instrument</source>
<translation>im SoundFont {path} fehlt das Instrument {instrument} (Programm {program}): Wählen Sie eine andere .sf2-Datei oder ein anderes Instrument</translation>
</message>
<message>
<source>{reason}; choose another .sf2 file</source>
<translation>{reason}; wählen Sie eine andere .sf2-Datei</translation>
</message>
<message>
<source>{path} is not a SoundFont: choose an .sf2 file</source>
<translation>{path} ist kein SoundFont: Wählen Sie eine .sf2-Datei</translation>
</message>
<message>
<source>the SoundFont {path} is truncated: choose another .sf2 file</source>
<translation>der SoundFont {path} ist unvollständig: Wählen Sie eine andere .sf2-Datei</translation>
</message>
<message>
<source>the clipboard holds no notes of a piece: copy some first</source>
<translation>die Zwischenablage enthält keine Noten: Kopieren Sie erst welche</translation>
</message>
<message>
<source>the copied notes of {count} voices do not fit below the {voice}: paste at a higher voice</source>
<translation>die kopierten Noten von {count} Stimmen passen nicht vom {voice} an abwärts: Fügen Sie sie in eine höhere Stimme ein</translation>
</message>
<message>
<source>a note would be lower than C-1 or higher than G9, which no format can hold: move it less far</source>
<translation>eine Note läge tiefer als C-1 oder höher als G9, was kein Dateiformat kennt: Verschieben Sie sie weniger weit</translation>
</message>
<message>
<source>a note would be shorter than a sixteenth, the shortest there is: keep it longer</source>
<translation>eine Note wäre kürzer als ein Sechzehntel, die kürzeste Note: Lassen Sie sie länger</translation>
</message>
<message>
<source>the piece would be longer than {steps:,} sixteenths, the limit: remove bars first</source>
<translation>das Stück würde länger als {steps:,} Sechzehntel, mehr ist nicht möglich: Entfernen Sie erst Takte</translation>
</message>
<message>
<source>a note would begin before the piece does: move it less far to the left</source>
<translation>eine Note würde vor dem Stück beginnen: Verschieben Sie sie weniger weit nach links</translation>
</message>
<message>
<source>the note is no longer in the piece: select it again</source>
<translation>die Note ist nicht mehr im Stück: Wählen Sie sie neu aus</translation>
</message>
<message>
<source>a sixteenth is the shortest note and cannot be split: select a longer note</source>
<translation>ein Sechzehntel ist die kürzeste Note und lässt sich nicht teilen: Wählen Sie eine längere Note aus</translation>
</message>
<message>
<source>notes of several voices are selected, and a voice has one note at a time: select the notes of one voice, then move them</source>
<translation>ausgewählt sind Noten mehrerer Stimmen, eine Stimme hat aber nur eine Note auf einmal: Wählen Sie die Noten einer Stimme aus und verschieben Sie diese</translation>
</message>
<message>
<source>no selected note goes on across this place: put the cursor inside a note</source>
<translation>keine ausgewählte Note klingt über diese Stelle hinweg: Setzen Sie den Cursor in eine Note</translation>
</message>
<message>
<source>only one note of the voice is selected: select two or more to join them</source>
<translation>in der Stimme ist nur eine Note ausgewählt: Wählen Sie zum Verbinden zwei oder mehr aus</translation>
</message>
<message>
<source>half</source>
<comment>note</comment>
<translation>Halbe</translation>
</message>
<message>
<source>whole</source>
<comment>note</comment>
<translation>Ganze</translation>
</message>
<message>
<source>a sixteenth is the shortest note and cannot be dotted: choose a longer one first</source>
<translation>ein Sechzehntel ist die kürzeste Note und lässt sich nicht punktieren: Wählen Sie erst einen längeren Notenwert</translation>
</message>
<message>
<source>no note ends at the cursor: write one first, then tie it to another</source>
<translation>am Cursor endet keine Note: Schreiben Sie erst eine und binden Sie dann die nächste an</translation>
</message>
<message>
<source>the other piece has no bar there: expected the same meter and pickup, and at least {steps} sixteenths</source>
<translation>das andere Stück hat dort keinen Takt: erwartet werden dieselbe Taktart, derselbe Auftakt und mindestens {steps} Sechzehntel</translation>
</message>
<message>
<source>bars {first}–{last}</source>
<translation>Takt {first}–{last}</translation>
</message>
<message>
<source>the pickup is {pickup} sixteenths: expected less than a bar of {meter}, 0 to {most}</source>
<translation>der Auftakt hat {pickup} Sechzehntel: erwartet wird weniger als ein {meter}-Takt, 0 bis {most}</translation>
</message>
<message>
<source>the tempo is {tempo:g}: expected 5 to 600 quarter notes a minute</source>
<translation>das Tempo ist {tempo:g}: erwartet werden 5 bis 600 Viertel pro Minute</translation>
</message>
<message>
<source>a piece in {old} cannot be transposed to {new}: choose a {mode} key, or set the key without transposing</source>
<translation>ein Stück in {old} lässt sich nicht nach {new} transponieren: Wählen Sie eine {mode}-Tonart oder setzen Sie die Tonart, ohne zu transponieren</translation>
</message>
<message>
<source>a slur needs two notes of a voice: select them first</source>
<translation>ein Legatobogen braucht zwei Noten einer Stimme: Wählen Sie sie erst aus</translation>
</message>
<message>
<source>major</source>
<translation>Dur</translation>
</message>
<message>
<source>minor</source>
<translation>Moll</translation>
</message>
<message>
<source>no note is selected: select the note that the fermata stands on</source>
<translation>keine Note ist ausgewählt: Wählen Sie die Note aus, auf der die Fermate steht</translation>
</message>
<message>
<source>all bars would be removed: keep at least one</source>
<translation>alle Takte würden entfernt: Lassen Sie mindestens einen stehen</translation>
</message>
<message>
<source>cannot write {path}: expected a name that ends in {suffixes}</source>
<translation>{path} lässt sich nicht schreiben: erwartet wird ein Name, der auf {suffixes} endet</translation>
</message>
<message>
<source>cannot read {path}: expected a name that ends in {suffixes}</source>
<translation>{path} lässt sich nicht lesen: erwartet wird ein Name, der auf {suffixes} endet</translation>
</message>
<message>
<source>{others} or {last}</source>
<translation>{others} oder {last}</translation>
</message>
<message>
<source>notes off the sixteenth-note grid (triplets?) were quantised in {bars}</source>
<translation>in {bars} wurden Noten außerhalb des Sechzehntelrasters (Triolen?) quantisiert</translation>
</message>
<message>
<source>notes too short for the sixteenth-note grid were left out in {bars}</source>
<translation>in {bars} fehlen Noten, die für das Sechzehntelraster zu kurz sind</translation>
</message>
<message>
<source>notes of zero length were left out in {bars}</source>
<translation>in {bars} fehlen Noten der Länge null</translation>
</message>
<message>
<source>notes without a note-off, which start in {bars}, were ended at the next note or at the end of their track</source>
<translation>Noten ohne Note-off, die in {bars} beginnen, enden mit der nächsten Note oder am Ende ihrer Spur</translation>
</message>
<message>
<source>grace notes were left out in {bars}</source>
<translation>in {bars} fehlen Vorschlagsnoten</translation>
</message>
<message>
<source>notes with words were not tied to those before them in {bars}</source>
<translation>in {bars} sind Noten mit Text nicht an die davor gebunden</translation>
</message>
<message>
<source>cue notes were left out in {bars}</source>
<translation>in {bars} fehlen Stichnoten</translation>
</message>
<message>
<source>notes without a pitch were left out in {bars}</source>
<translation>in {bars} fehlen Noten ohne Tonhöhe</translation>
</message>
<message>
<source>notes whose pitch cannot be read were left out in {bars}</source>
<translation>in {bars} fehlen Noten mit unlesbarer Tonhöhe</translation>
</message>
<message>
<source>a key, meter or transposition that cannot be used was ignored in {bars}</source>
<translation>in {bars} wurde eine unbrauchbare Tonart, Taktart oder Transposition nicht beachtet</translation>
</message>
<message>
<source>quarter tones were rounded to semitones in {bars}</source>
<translation>in {bars} wurden Vierteltöne auf Halbtöne gerundet</translation>
</message>
<message>
<source>repeats were written out, from {bars} on</source>
<translation>ab {bars} wurden Wiederholungen ausgeschrieben</translation>
</message>
<message>
<source>jumps such as da capo in {bars} were ignored, the bars were read in printed order</source>
<translation>in {bars} wurden Sprünge wie da capo nicht beachtet, die Takte folgen einander wie gedruckt</translation>
</message>
<message>
<source>chords within one voice were reduced to the outer note in {bars}</source>
<translation>in {bars} blieb von Akkorden innerhalb einer Stimme nur der äußere Ton</translation>
</message>
<message>
<source>overlapping notes were shortened in {bars}</source>
<translation>in {bars} wurden überlappende Noten gekürzt</translation>
</message>
<message>
<source>more than four notes sound together, inner notes were left out in {bars}</source>
<translation>in {bars} fehlen innere Töne, da mehr als vier zugleich erklingen</translation>
</message>
<message>
<source>the voice assignment is uncertain in {bars}</source>
<translation>in {bars} ist die Zuordnung zu den Stimmen unsicher</translation>
</message>
<message>
<source>a single note on a staff was given to both of its voices in {bars}</source>
<translation>in {bars} erhielten beide Stimmen eines Notensystems dessen einzelne Note</translation>
</message>
<message>
<source>nothing begins or ends for hundreds of quarters after {bars}, the file was read up to there (to read on, set MUSICREL_MAX_GAP to a number of quarters above 256)</source>
<translation>nach {bars} beginnt oder endet über Hunderte von Vierteln nichts, die Datei wurde bis dorthin gelesen (um weiterzulesen, setzen Sie MUSICREL_MAX_GAP auf eine Zahl von Vierteln über 256)</translation>
</message>
<message>
<source>the notes on channel 10, which start in {bars}, were taken as drums and left out</source>
<translation>die Noten auf Kanal 10, die in {bars} beginnen, gelten als Schlagzeug und fehlen</translation>
</message>
<message>
<source>it is cut off: a track is missing</source>
<translation>die Datei bricht ab: Eine Spur fehlt</translation>
</message>
<message>
<source>its header gives the wrong number of tracks, all tracks in the file were read</source>
<translation>der Dateikopf nennt eine falsche Zahl von Spuren, alle Spuren der Datei wurden gelesen</translation>
</message>
<message>
<source>only the first of its tunes was read</source>
<translation>nur die erste Melodie der Datei wurde gelesen</translation>
</message>
<message>
<source>a track has the wrong length in its header and was read to its end</source>
<translation>der Kopf einer Spur nennt eine falsche Länge, sie wurde bis zu ihrem Ende gelesen</translation>
</message>
<message>
<source>a track is damaged or cut off and was read up to {bars}</source>
<translation>eine Spur ist beschädigt oder bricht ab und wurde bis {bars} gelesen</translation>
</message>
<message>
<source>damaged events were ignored in {bars}</source>
<translation>in {bars} wurden beschädigte Ereignisse nicht beachtet</translation>
</message>
<message>
<source>tempos outside 5 to 600 quarters a minute were ignored in {bars}</source>
<translation>in {bars} wurden Tempi außerhalb von 5 bis 600 Vierteln pro Minute nicht beachtet</translation>
</message>
<message>
<source>its times are in seconds, not in beats: tempo and note values were estimated</source>
<translation>die Zeiten der Datei sind Sekunden, keine Notenwerte: Tempo und Notenwerte wurden geschätzt</translation>
</message>
<message>
<source>notes outside the range of the voice were transposed by octaves in {bars}</source>
<translation>in {bars} wurden Noten außerhalb des Stimmumfangs oktaviert</translation>
</message>
<message>
<source>lyrics</source>
<translation>Gesangstext</translation>
</message>
<message>
<source>chord symbols</source>
<translation>Akkordsymbole</translation>
</message>
<message>
<source>figured bass</source>
<translation>Generalbass</translation>
</message>
<message>
<source>dynamics</source>
<translation>Dynamik</translation>
</message>
<message>
<source>hairpins</source>
<translation>Crescendo-Gabeln</translation>
</message>
<message>
<source>articulations</source>
<translation>Artikulationen</translation>
</message>
<message>
<source>ornaments</source>
<translation>Verzierungen</translation>
</message>
<message>
<source>pedal marks</source>
<translation>Pedalzeichen</translation>
</message>
<message>
<source>playing techniques</source>
<translation>Spieltechniken</translation>
</message>
<message>
<source>text</source>
<translation>Text</translation>
</message>
<message>
<source>markers</source>
<translation>Marker</translation>
</message>
<message>
<source>movement title</source>
<translation>Satztitel</translation>
</message>
<message>
<source>movement number</source>
<translation>Satznummer</translation>
</message>
<message>
<source>work number</source>
<translation>Werknummer</translation>
</message>
<message>
<source>arranger</source>
<translation>Bearbeiter</translation>
</message>
<message>
<source>other names</source>
<translation>weitere Namen</translation>
</message>
<message>
<source>{listed} was left out</source>
<translation>nicht übernommen: {listed}</translation>
</message>
<message>
<source>{listed} were left out</source>
<translation>nicht übernommen: {listed}</translation>
</message>
<message>
<source>{number} more places</source>
<translation>an {number} weiteren Stellen</translation>
</message>
<message>
<source>bars {numbers}</source>
<translation>Takt {numbers}</translation>
</message>
<message>
<source>{first} and {last}</source>
<translation>{first} und {last}</translation>
</message>
<message>
<source>too long for a piece</source>
<translation>zu lang für ein Stück</translation>
</message>
<message>
<source>the mode {mode} of its key was read as {key}</source>
<translation>die Tonart im Modus {mode} wurde als {key} gelesen</translation>
</message>
<message>
<source>a bar of silence before the first note was removed</source>
<translation>ein Takt Stille vor der ersten Note wurde entfernt</translation>
</message>
<message>
<source>{number:.3g} bars of silence before the first note were removed</source>
<translation>{number:.3g} Takte Stille vor der ersten Note wurden entfernt</translation>
</message>
<message>
<source>a quarter of silence before the first note was removed</source>
<translation>ein Viertel Stille vor der ersten Note wurde entfernt</translation>
</message>
<message>
<source>{number:.3g} quarters of silence before the first note were removed</source>
<translation>{number:.3g} Viertel Stille vor der ersten Note wurden entfernt</translation>
</message>
<message>
<source>it is {steps:,} sixteenths long, {too_long}: the first {length:,} were kept</source>
<translation>die Datei ist {steps:,} Sechzehntel lang, {too_long}: Übernommen wurden die ersten {length:,}</translation>
</message>
<message>
<source>{meter} from {bars}</source>
<translation>{meter} ab {bars}</translation>
</message>
<message>
<source>{number} more</source>
<translation>{number} weitere</translation>
</message>
<message>
<source>meter changes ({changes}) were dropped: {meter} throughout</source>
<translation>Taktwechsel ({changes}) entfielen: durchgehend {meter}</translation>
</message>
<message>
<source>{bars} do not match the bar lines of {meter}</source>
<translation>{bars} passen nicht zu den Taktstrichen im {meter}-Takt</translation>
</message>
<message>
<source>{bars} does not match the bar lines of {meter}</source>
<translation>{bars} passt nicht zu den Taktstrichen im {meter}-Takt</translation>
</message>
<message>
<source>key changes within {bars} were moved to the nearest bar line</source>
<translation>Tonartwechsel mitten in {bars} wurden zum nächsten Taktstrich verschoben</translation>
</message>
<message>
<source>tempo changes in {bars} were dropped: {tempo:.3g} throughout</source>
<translation>Tempowechsel in {bars} entfielen: durchgehend {tempo:.3g}</translation>
</message>
<message>
<source>a ritardando in {bars} names no tempo: it was set to fall to {percent:g} percent</source>
<translation>ein Ritardando in {bars} nennt kein Tempo: Es geht nun auf {percent:g} Prozent zurück</translation>
</message>
<message>
<source>it has no notes within the longest piece: expected a melody</source>
<translation>die Datei hat keine Noten innerhalb der größten Länge eines Stücks: erwartet wird eine Melodie</translation>
</message>
<message>
<source>semitone</source>
<translation>Halbton</translation>
</message>
<message>
<source>semitones</source>
<translation>Halbtöne</translation>
</message>
<message>
<source>octave</source>
<translation>Oktave</translation>
</message>
<message>
<source>octaves</source>
<translation>Oktaven</translation>
</message>
<message>
<source>it was transposed down by {far} into the range of the {voice}</source>
<translation>die Melodie wurde um {far} nach unten transponiert, in den Umfang für den {voice}</translation>
</message>
<message>
<source>it was transposed up by {far} into the range of the {voice}</source>
<translation>die Melodie wurde um {far} nach oben transponiert, in den Umfang für den {voice}</translation>
</message>
<message>
<source>it has no notes: expected a melody</source>
<translation>die Datei hat keine Noten: erwartet wird eine Melodie</translation>
</message>
<message>
<source>the one on {place}</source>
<translation>die in {place}</translation>
</message>
<message>
<source>'{name}'</source>
<translation>„{name}“</translation>
</message>
<message>
<source>of its {number} lines with notes {name} was taken as the melody</source>
<translation>von den {number} Stimmen mit Noten wurde {name} als Melodie übernommen</translation>
</message>
<message>
<source>two</source>
<translation>zwei</translation>
</message>
<message>
<source>three</source>
<translation>drei</translation>
</message>
<message>
<source>four</source>
<translation>vier</translation>
</message>
<message>
<source>it has no notes</source>
<comment>file</comment>
<translation>die Datei hat keine Noten</translation>
</message>
<message>
<source>voices were assigned by pitch and motion</source>
<translation>die Stimmen wurden nach Tonhöhe und Bewegung zugeordnet</translation>
</message>
<message>
<source>{listed} were left out: {kept}</source>
<translation>nicht übernommen: {listed}; {kept}</translation>
</message>
<message>
<source>{listed} was left out: {kept}</source>
<translation>nicht übernommen: {listed}; {kept}</translation>
</message>
<message>
<source>{listed} were combined into the {voice}</source>
<translation>{listed} wurden zum {voice} zusammengefasst</translation>
</message>
<message>
<source>only the one part named after voices was kept</source>
<translation>nur die eine nach Stimmen benannte Partie blieb</translation>
</message>
<message>
<source>only the one part taken as the voices was kept</source>
<translation>nur die eine als Chorstimmen gedeutete Partie blieb</translation>
</message>
<message>
<source>only the {number} parts taken as the voices were kept</source>
<translation>nur die {number} als Chorstimmen gedeuteten Partien blieben</translation>
</message>
<message>
<source>only the {number} parts named after voices were kept</source>
<translation>nur die {number} nach Stimmen benannten Partien blieben</translation>
</message>
<message>
<source>it has only {number} voices, taken as the {listed}</source>
<translation>die Datei hat nur {number} Stimmen, gedeutet als {listed}</translation>
</message>
<message>
<source>it has only one voice, taken as the {listed}</source>
<translation>die Datei hat nur eine Stimme, gedeutet als {listed}</translation>
</message>
<message>
<source>{listed} were taken as the {voices}</source>
<translation>{listed} wurden als {voices} gedeutet</translation>
</message>
<message>
<source>{listed} was taken as the {voices}</source>
<translation>{listed} wurde als {voices} gedeutet</translation>
</message>
<message>
<source>the line on {place}</source>
<translation>die Stimme in {place}</translation>
</message>
<message>
<source>staff {number}</source>
<translation>Notensystem {number}</translation>
</message>
<message>
<source>track {number}</source>
<translation>Spur {number}</translation>
</message>
<message>
<source>Choir</source>
<translation>Chor</translation>
</message>
<message>
<source>choir</source>
<translation>Chor</translation>
</message>
<message>
<source>Organ</source>
<translation>Orgel</translation>
</message>
<message>
<source>organ</source>
<translation>Orgel</translation>
</message>
<message>
<source>Piano</source>
<translation>Klavier</translation>
</message>
<message>
<source>piano</source>
<translation>Klavier</translation>
</message>
<message>
<source>Harpsichord</source>
<translation>Cembalo</translation>
</message>
<message>
<source>harpsichord</source>
<translation>Cembalo</translation>
</message>
<message>
<source>Harp</source>
<translation>Harfe</translation>
</message>
<message>
<source>harp</source>
<translation>Harfe</translation>
</message>
<message>
<source>Guitar</source>
<translation>Gitarre</translation>
</message>
<message>
<source>guitar</source>
<translation>Gitarre</translation>
</message>
<message>
<source>Strings</source>
<translation>Streicher</translation>
</message>
<message>
<source>strings</source>
<translation>Streicher</translation>
</message>
<message>
<source>Violin</source>
<translation>Violine</translation>
</message>
<message>
<source>violin</source>
<translation>Violine</translation>
</message>
<message>
<source>Viola</source>
<translation>Viola</translation>
</message>
<message>
<source>viola</source>
<translation>Viola</translation>
</message>
<message>
<source>Cello</source>
<translation>Cello</translation>
</message>
<message>
<source>cello</source>
<translation>Cello</translation>
</message>
<message>
<source>Recorder</source>
<translation>Blockflöte</translation>
</message>
<message>
<source>recorder</source>
<translation>Blockflöte</translation>
</message>
<message>
<source>Flute</source>
<translation>Flöte</translation>
</message>
<message>
<source>flute</source>
<translation>Flöte</translation>
</message>
<message>
<source>Oboe</source>
<translation>Oboe</translation>
</message>
<message>
<source>oboe</source>
<translation>Oboe</translation>
</message>
<message>
<source>Clarinet</source>
<translation>Klarinette</translation>
</message>
<message>
<source>clarinet</source>
<translation>Klarinette</translation>
</message>
<message>
<source>Bassoon</source>
<translation>Fagott</translation>
</message>
<message>
<source>bassoon</source>
<translation>Fagott</translation>
</message>
<message>
<source>Brass</source>
<translation>Blechbläser</translation>
</message>
<message>
<source>brass</source>
<translation>Blechbläser</translation>
</message>
<message>
<source>Trumpet</source>
<translation>Trompete</translation>
</message>
<message>
<source>trumpet</source>
<translation>Trompete</translation>
</message>
<message>
<source>Horn</source>
<translation>Horn</translation>
</message>
<message>
<source>horn</source>
<translation>Horn</translation>
</message>
<message>
<source>Trombone</source>
<translation>Posaune</translation>
</message>
<message>
<source>trombone</source>
<translation>Posaune</translation>
</message>
<message>
<source>the chorale</source>
<translation>der Choral</translation>
</message>
<message>
<source>{voice}, verse {verse}, step {step}: the syllable {text!r} stands under no note: expected the first step of one</source>
<translation>{voice}, Strophe {verse}, Sechzehntel {step}: Die Silbe {text!r} steht unter keiner Note; erwartet wird das erste Sechzehntel einer Note</translation>
</message>
<message>
<source>a text holds {character!r}, which UTF-8 cannot represent: change the title, a name or the words</source>
<translation>ein Text enthält {character!r}, das sich nicht in UTF-8 schreiben lässt: Ändern Sie den Titel, einen Namen oder den Gesangstext</translation>
</message>
<message>
<source>the file would have {size:,} bytes, more than {most:,}</source>
<translation>die Datei hätte {size:,} Byte, mehr als {most:,}</translation>
</message>
<message>
<source>it is not a musicrel chorale: its format is {found!r}, expected {expected!r}</source>
<translation>die Datei ist kein Choral von musicrel: Ihr Format ist {found!r}, erwartet wird {expected!r}</translation>
</message>
<message>
<source>it has version {version} and this musicrel reads up to {known}: update musicrel</source>
<translation>die Datei hat Version {version}, dieses musicrel liest bis Version {known}: Aktualisieren Sie musicrel</translation>
</message>
<message>
<source>it has {size:,} bytes, but at most {most:,} are read here</source>
<translation>die Datei hat {size:,} Byte, hier werden höchstens {most:,} gelesen</translation>
</message>
<message>
<source>it is a MIDI file of format {kind}: expected 0 or 1</source>
<translation>die Datei ist eine MIDI-Datei vom Format {kind}: erwartet wird 0 oder 1</translation>
</message>
<message>
<source>it is truncated: it has no tracks, expected {expected}</source>
<translation>die Datei bricht ab: Sie hat keine Spuren, erwartet werden {expected}</translation>
</message>
<message>
<source>it is not a MIDI file: it has no MThd header</source>
<translation>die Datei ist keine MIDI-Datei: Der Dateikopf MThd fehlt</translation>
</message>
<message>
<source>it is damaged: a quarter note or a frame has 0 ticks</source>
<translation>die Datei ist beschädigt: Ein Viertel oder ein Frame hat 0 Ticks</translation>
</message>
<message>
<source>it is truncated: a track has no end</source>
<translation>die Datei bricht ab: Eine Spur hat kein Ende</translation>
</message>
<message>
<source>it has more than {most:,} events, too many to be a chorale</source>
<translation>die Datei hat mehr als {most:,} Ereignisse, zu viele für einen Choral</translation>
</message>
<message>
<source>it has more than {most} tracks, too many to be a chorale</source>
<translation>die Datei hat mehr als {most} Spuren, zu viele für einen Choral</translation>
</message>
<message>
<source>it is longer than {most:,} ticks, too long to be a chorale</source>
<translation>die Datei ist länger als {most:,} Ticks, zu lang für einen Choral</translation>
</message>
<message>
<source>it is truncated: a track ends within an event</source>
<translation>die Datei bricht ab: Eine Spur endet mitten in einem Ereignis</translation>
</message>
<message>
<source>it is damaged: data without a status byte at tick {tick}</source>
<translation>die Datei ist beschädigt: Daten ohne Statusbyte bei Tick {tick}</translation>
</message>
<message>
<source>it is damaged: a number is longer than four bytes</source>
<translation>die Datei ist beschädigt: Eine Zahl ist länger als vier Byte</translation>
</message>
<message>
<source>{voice} practice</source>
<translation>{voice} üben</translation>
</message>
<message>
<source>without {voice}</source>
<translation>ohne {voice}</translation>
</message>
<message>
<source>its divisions are finer than any score needs</source>
<translation>die Zeitwerte der Datei sind feiner unterteilt, als Noten es je brauchen</translation>
</message>
<message>
<source>it is not a MusicXML score: its root element is {tag!r}</source>
<translation>die Datei ist keine MusicXML-Partitur: Ihr Wurzelelement ist {tag!r}</translation>
</message>
<message>
<source>it has {parts:,} parts and up to {measures:,} measures: expected at most {most_parts:,} and {most_measures:,}</source>
<translation>die Datei hat {parts:,} Stimmen und bis zu {measures:,} Takte: erwartet werden höchstens {most_parts:,} und {most_measures:,}</translation>
</message>
<message>
<source>it is a score without measures</source>
<translation>die Datei ist eine Partitur ohne Takte</translation>
</message>
<message>
<source>it has {parts:,} parts in {measures:,} measures, too many for a chorale</source>
<translation>die Datei hat {parts:,} Stimmen in {measures:,} Takten, zu viele für einen Choral</translation>
</message>
<message>
<source>it holds more than {most:,} files, too many for a score</source>
<translation>das Archiv enthält mehr als {most:,} Dateien, zu viele für eine Partitur</translation>
</message>
<message>
<source>it is an archive without a score: expected a .musicxml file in it</source>
<translation>die Datei ist ein Archiv ohne Partitur: erwartet wird eine .musicxml-Datei darin</translation>
</message>
<message>
<source>its entry of {packed:,} bytes decompresses to {size:,}, too many for a score</source>
<translation>ein Eintrag des Archivs von {packed:,} Byte hat entpackt {size:,}, zu viele für eine Partitur</translation>
</message>
<message>
<source>it is a damaged archive: the size of an entry is not the declared one</source>
<translation>die Datei ist ein beschädigtes Archiv: Ein Eintrag hat nicht die angegebene Größe</translation>
</message>
<message>
<source>it is damaged or not XML: {reason}</source>
<translation>die Datei ist beschädigt oder kein XML: {reason}</translation>
</message>
<message>
<source>it is damaged or not XML: unknown encoding {name!r}; save it as UTF-8</source>
<translation>die Datei ist beschädigt oder kein XML: unbekannte Kodierung {name!r}; speichern Sie sie als UTF-8</translation>
</message>
<message>
<source>it has more than {most:,} elements, too many for a chorale</source>
<translation>die Datei hat mehr als {most:,} Elemente, zu viele für einen Choral</translation>
</message>
<message>
<source>its elements are nested more than {most} levels deep, too deep for a score</source>
<translation>die Elemente der Datei sind mehr als {most} Ebenen tief verschachtelt, zu tief für eine Partitur</translation>
</message>
<message>
<source>it contains a document type with declarations (DTD) that are more than short texts, which is refused for safety</source>
<translation>die Datei enthält einen Dokumenttyp mit Deklarationen (DTD), die mehr als kurze Texte sind; sie wird aus Sicherheitsgründen nicht gelesen</translation>
</message>
<message>
<source>it uses entities of a document type that is not read, for safety</source>
<translation>die Datei verwendet Entitäten eines Dokumenttyps, der aus Sicherheitsgründen nicht gelesen wird</translation>
</message>
<message>
<source>the piece has {steps} sixteenths: expected 1 to {most}</source>
<translation>das Stück hat {steps} Sechzehntel: erwartet werden 1 bis {most}</translation>
</message>
<message>
<source>a fermata covers steps {start}:{stop}: expected a range within 0:{steps}</source>
<translation>eine Fermate umfasst die Sechzehntel {start}:{stop}; erwartet wird ein Bereich innerhalb von 0:{steps}</translation>
</message>
<message>
<source>{voice}, step {step}</source>
<translation>{voice}, Sechzehntel {step}</translation>
</message>
<message>
<source>{where}: a note of {length} steps lies outside the piece of {steps} steps</source>
<translation>{where}: Eine Note von {length} Sechzehnteln liegt außerhalb des Stücks von {steps} Sechzehnteln</translation>
</message>
<message>
<source>{where}: the note overlaps the one before: expected one note at a time in a voice</source>
<translation>{where}: Die Note überlappt die vorige; erwartet wird in einer Stimme eine Note auf einmal</translation>
</message>
<message>
<source>{where}: pitch {pitch} is not a MIDI number: expected 0 to 127</source>
<translation>{where}: Die Tonhöhe {pitch} ist keine MIDI-Nummer; erwartet wird 0 bis 127</translation>
</message>
<message>
<source>the piece has no verse {verse}: it has no words</source>
<translation>das Stück hat keine Strophe {verse}: Es hat keinen Text</translation>
</message>
<message>
<source>the piece has no verse {verse}: its verses are {known}</source>
<translation>das Stück hat keine Strophe {verse}: Seine Strophen sind {known}</translation>
</message>
<message>
<source>the piece would have {steps:,} sixteenths with its verses one after the other: expected at most {most:,}; leave out some verses</source>
<translation>mit den Strophen nacheinander hätte das Stück {steps:,} Sechzehntel: erwartet werden höchstens {most:,}; lassen Sie Strophen weg</translation>
</message>
<message>
<source>expected one as in 8.7.8.7, 8.7.8.7 D, C.M. or L.M.</source>
<translation>erwartet wird eines wie 8.7.8.7, 8.7.8.7 D, C.M. oder L.M.</translation>
</message>
<message>
<source>unknown metre {metre!r}: {form}</source>
<translation>unbekanntes Versmaß {metre!r}: {form}</translation>
</message>
<message>
<source>unknown metre {metre!r}: expected 1 to {lines} lines of 1 to {syllables} syllables</source>
<translation>unbekanntes Versmaß {metre!r}: erwartet werden 1 bis {lines} Zeilen mit 1 bis {syllables} Silben</translation>
</message>
<message>
<source>the first verse has {lines} of up to {syllables} syllables: expected at most {most_lines} lines of at most {most_syllables} syllables; leave an empty line between verses</source>
<translation>die erste Strophe hat {lines} mit bis zu {syllables} Silben: erwartet werden höchstens {most_lines} Zeilen mit höchstens {most_syllables} Silben; lassen Sie zwischen den Strophen eine Zeile leer</translation>
</message>
<message>
<source>the first verse has {lines}: expected {expected}, those of {metre}</source>
<translation>die erste Strophe hat {lines}: erwartet werden {expected} wie in {metre}</translation>
</message>
<message>
<source>line {number} has {syllables} for {expected}</source>
<translation>Zeile {number} hat {syllables} statt {expected}</translation>
</message>
<message>
<source>the first verse does not fit {metre}: {wrong}; divide words with hyphens, join two with ~, or choose another metre</source>
<translation>die erste Strophe passt nicht zu {metre}: {wrong}; trennen Sie Wörter mit Bindestrichen, verbinden Sie zwei mit ~ oder wählen Sie ein anderes Versmaß</translation>
</message>
<message>
<source>{number} line</source>
<translation>{number} Zeile</translation>
</message>
<message>
<source>{number} lines</source>
<translation>{number} Zeilen</translation>
</message>
<message>
<source>^(?!Stopped).*\b(?:bar|candidate|function) (\d+) of (\d+)$</source>
<translation>^(?!Angehalten).*\b(?:Takt|Vorschlag|Funktion) (\d+) von (\d+)$</translation>
</message>
<message>
<source>Searching</source>
<translation>Suche</translation>
</message>
<message>
<source>locked</source>
<translation>gesperrt</translation>
</message>
<message>
<source>partly locked</source>
<translation>teilweise gesperrt</translation>
</message>
<message>
<source>{note}, held</source>
<translation>{note}, gehalten</translation>
</message>
<message>
<source>Press</source>
<translation>Drücken</translation>
</message>
<message>
<source>Move to the &amp;{voice}</source>
<translation>In den &amp;{voice} verschieben</translation>
</message>
<message>
<source>By &amp;{bars} bars</source>
<translation>Um &amp;{bars} Takte</translation>
</message>
<message>
<source>Of &amp;{bars} bars</source>
<translation>Mit &amp;{bars} Takten</translation>
</message>
<message>
<source>Compare &amp;with</source>
<translation>Vergleichen &amp;mit</translation>
</message>
<message>
<source>&amp;More</source>
<translation>&amp;Weitere</translation>
</message>
<message>
<source>Rewrite the notes around this violation as several candidates that keep the rule; locked notes and, where possible, the melody are kept ({key[rules.rewrite]})</source>
<translation>Mehrere Vorschläge für die Noten um diesen Verstoß, die die Regel einhalten; gesperrte Noten und möglichst auch die Melodie bleiben ({key[rules.rewrite]})</translation>
</message>
<message>
<source>&amp;Undo</source>
<translation>&amp;Rückgängig</translation>
</message>
<message>
<source>&amp;Redo</source>
<translation>&amp;Wiederholen</translation>
</message>
<message>
<source>&amp;Generate</source>
<translation>&amp;Komponieren</translation>
</message>
<message>
<source>S&amp;top</source>
<translation>St&amp;opp</translation>
</message>
<message>
<source>New &amp;random seed</source>
<translation>&amp;Neuer zufälliger Startwert</translation>
</message>
<message>
<source>Zoom &amp;in</source>
<translation>Ver&amp;größern</translation>
</message>
<message>
<source>Zoom &amp;out</source>
<translation>Verk&amp;leinern</translation>
</message>
<message>
<source>Fit &amp;whole piece</source>
<translation>Ganzes Stück ein&amp;passen</translation>
</message>
<message>
<source>Zoom in &amp;vertically</source>
<translation>&amp;Vertikal vergrößern</translation>
</message>
<message>
<source>Zoom out verticall&amp;y</source>
<translation>Ver&amp;tikal verkleinern</translation>
</message>
<message>
<source>&amp;Score</source>
<translation>&amp;Noten</translation>
</message>
<message>
<source>&amp;Four staves</source>
<translation>Vier Notens&amp;ysteme</translation>
</message>
<message>
<source>Roman &amp;numerals</source>
<translation>&amp;Stufen</translation>
</message>
<message>
<source>Figured &amp;bass</source>
<translation>Gene&amp;ralbass</translation>
</message>
<message>
<source>Write the intervals above the bass below it, also in files</source>
<translation>Die Intervalle über dem Bass unter ihn schreiben, auch in Dateien</translation>
</message>
<message>
<source>Repeat si&amp;gns in print and files</source>
<translation>&amp;Wiederholungszeichen in Druck und Dateien</translation>
</message>
<message>
<source>Write what comes twice once, with repeat signs, in PDF, print and MusicXML</source>
<translation>Was zweimal nacheinander kommt, in PDF, Druck und MusicXML nur einmal schreiben, mit Wiederholungszeichen</translation>
</message>
<message>
<source>Form, sheet or ta&amp;kes</source>
<translation>Formular, &amp;Blatt oder Fassungen</translation>
</message>
<message>
<source>&amp;About musicrel</source>
<translation>&amp;Über musicrel</translation>
</message>
<message>
<source>About the &amp;model…</source>
<translation>Über das &amp;Modell …</translation>
</message>
<message>
<source>&amp;New</source>
<translation>&amp;Neu</translation>
</message>
<message>
<source>New &amp;window</source>
<translation>Neues &amp;Fenster</translation>
</message>
<message>
<source>&amp;Open…</source>
<translation>&amp;Öffnen …</translation>
</message>
<message>
<source>&amp;Save</source>
<translation>&amp;Speichern</translation>
</message>
<message>
<source>Save &amp;as…</source>
<translation>Speichern &amp;unter …</translation>
</message>
<message>
<source>&amp;Export…</source>
<translation>&amp;Exportieren …</translation>
</message>
<message>
<source>Export the selected &amp;bars…</source>
<translation>Ausgewählte &amp;Takte exportieren …</translation>
</message>
<message>
<source>Export the bars that the selection touches, its voices</source>
<translation>Die Takte exportieren, die die Auswahl berührt, mit ihren Stimmen</translation>
</message>
<message>
<source>Export practice &amp;files…</source>
<translation>&amp;Übedateien exportieren …</translation>
</message>
<message>
<source>&amp;Print…</source>
<translation>&amp;Drucken …</translation>
</message>
<message>
<source>&amp;Close</source>
<translation>S&amp;chließen</translation>
</message>
<message>
<source>&amp;Quit</source>
<translation>&amp;Beenden</translation>
</message>
<message>
<source>Cu&amp;t</source>
<translation>&amp;Ausschneiden</translation>
</message>
<message>
<source>&amp;Copy</source>
<translation>&amp;Kopieren</translation>
</message>
<message>
<source>&amp;Paste</source>
<translation>&amp;Einfügen</translation>
</message>
<message>
<source>Paste at the selection or the playhead, into the selected voice</source>
<translation>An der Auswahl oder der Abspielmarke in die ausgewählte Stimme einfügen</translation>
</message>
<message>
<source>&amp;Duplicate</source>
<translation>&amp;Duplizieren</translation>
</message>
<message>
<source>Repeat the selected notes right after them</source>
<translation>Die ausgewählten Noten gleich dahinter wiederholen</translation>
</message>
<message>
<source>De&amp;lete</source>
<translation>&amp;Löschen</translation>
</message>
<message>
<source>Select &amp;all</source>
<translation>Alle&amp;s auswählen</translation>
</message>
<message>
<source>Select the &amp;bar</source>
<translation>&amp;Takt auswählen</translation>
</message>
<message>
<source>Select all voices of the bars that the selection touches</source>
<translation>Alle Stimmen der Takte auswählen, die die Auswahl berührt</translation>
</message>
<message>
<source>Select the &amp;voice</source>
<translation>Sti&amp;mme auswählen</translation>
</message>
<message>
<source>Select the selected voices from beginning to end</source>
<translation>Die ausgewählten Stimmen von Anfang bis Ende auswählen</translation>
</message>
<message>
<source>&amp;Up by a semitone</source>
<translation>Halbton &amp;höher</translation>
</message>
<message>
<source>&amp;Down by a semitone</source>
<translation>Halbton t&amp;iefer</translation>
</message>
<message>
<source>Up b&amp;y a scale step</source>
<translation>Tonleiterstufe höh&amp;er</translation>
</message>
<message>
<source>Move to the next higher note of the key</source>
<translation>Zum nächsthöheren Ton der Tonart verschieben</translation>
</message>
<message>
<source>Down by a s&amp;cale step</source>
<translation>Tonleiterst&amp;ufe tiefer</translation>
</message>
<message>
<source>Move to the next lower note of the key</source>
<translation>Zum nächsttieferen Ton der Tonart verschieben</translation>
</message>
<message>
<source>Up by an &amp;octave</source>
<translation>&amp;Oktave höher</translation>
</message>
<message>
<source>Do&amp;wn by an octave</source>
<translation>O&amp;ktave tiefer</translation>
</message>
<message>
<source>&amp;Earlier by a sixteenth</source>
<translation>Sechzehntel &amp;früher</translation>
</message>
<message>
<source>&amp;Later by a sixteenth</source>
<translation>Sechzehntel s&amp;päter</translation>
</message>
<message>
<source>Lon&amp;ger by a sixteenth</source>
<translation>Sechzehntel &amp;länger</translation>
</message>
<message>
<source>S&amp;horter by a sixteenth</source>
<translation>Sechzehntel kür&amp;zer</translation>
</message>
<message>
<source>Spl&amp;it</source>
<translation>Teile&amp;n</translation>
</message>
<message>
<source>Split the selected notes at the playhead, or in the middle</source>
<translation>Die ausgewählten Noten an der Abspielmarke oder in der Mitte teilen</translation>
</message>
<message>
<source>&amp;Join</source>
<translation>&amp;Verbinden</translation>
</message>
<message>
<source>Make one note of the selected notes of each voice</source>
<translation>Die ausgewählten Noten jeder Stimme zu einer Note machen</translation>
</message>
<message>
<source>&amp;Fermata</source>
<translation>&amp;Fermate</translation>
</message>
<message>
<source>Put a fermata on the last selected note, or remove it</source>
<translation>Eine Fermate auf die letzte ausgewählte Note setzen oder entfernen</translation>
</message>
<message>
<source>&amp;Key, tempo and dynamic here…</source>
<translation>Tonart, Tempo und &amp;Dynamik hier …</translation>
</message>
<message>
<source>Change key, tempo or dynamic from the selection on, or slow down within it</source>
<translation>Tonart, Tempo oder Dynamik ab der Auswahl ändern oder in ihr langsamer werden</translation>
</message>
<message>
<source>S&amp;lur</source>
<translation>&amp;Legatobogen</translation>
</message>
<message>
<source>Slur the selected notes of each voice, or remove their slurs</source>
<translation>Die ausgewählten Noten jeder Stimme mit einem Legatobogen versehen oder ihre Bögen entfernen</translation>
</message>
<message>
<source>&amp;Add a bar at the end</source>
<translation>Takt &amp;am Ende anfügen</translation>
</message>
<message>
<source>&amp;Insert a bar here</source>
<translation>Takt &amp;hier einfügen</translation>
</message>
<message>
<source>Insert an empty bar before the selection or the playhead</source>
<translation>Einen leeren Takt vor der Auswahl oder der Abspielmarke einfügen</translation>
</message>
<message>
<source>&amp;Remove the bar</source>
<translation>Takt entfe&amp;rnen</translation>
</message>
<message>
<source>Remove the bars that the selection touches, with their notes</source>
<translation>Die Takte, die die Auswahl berührt, mit ihren Noten entfernen</translation>
</message>
<message>
<source>&amp;Words…</source>
<translation>&amp;Text …</translation>
</message>
<message>
<source>Set a text under the melody, or remove the words</source>
<translation>Der Melodie einen Text unterlegen oder den Text entfernen</translation>
</message>
<message>
<source>Write out the &amp;verses</source>
<translation>Strophen a&amp;usschreiben</translation>
</message>
<message>
<source>Write all verses one after the other, each with its words</source>
<translation>Alle Strophen nacheinander schreiben, jede mit ihrem Text</translation>
</message>
<message>
<source>&amp;Words under notes</source>
<translation>Te&amp;xt unter den Noten</translation>
</message>
<message>
<source>Type words under the notes, from the selected one on</source>
<translation>Text unter die Noten tippen, ab der ausgewählten</translation>
</message>
<message>
<source>&amp;Transpose…</source>
<translation>Trans&amp;ponieren …</translation>
</message>
<message>
<source>Move all notes by an interval, or to fit the ranges of the voices; the key moves too</source>
<translation>Alle Noten um ein Intervall verschieben oder in die Umfänge der Stimmen bringen; die Tonart geht mit</translation>
</message>
<message>
<source>&amp;Properties…</source>
<translation>&amp;Eigenschaften …</translation>
</message>
<message>
<source>Change title, names, key, meter, pickup and tempo</source>
<translation>Titel, Namen, Tonart, Taktart, Auftakt und Tempo ändern</translation>
</message>
<message>
<source>&amp;Play edited notes</source>
<translation>&amp;Geänderte Noten vorspielen</translation>
</message>
<message>
<source>&amp;Play</source>
<translation>&amp;Abspielen</translation>
</message>
<message>
<source>Play from the playhead</source>
<translation>Ab der Abspielmarke abspielen</translation>
</message>
<message>
<source>&amp;Stop</source>
<translation>&amp;Stopp</translation>
</message>
<message>
<source>Stop and return to the start</source>
<translation>Anhalten und zum Anfang zurückkehren</translation>
</message>
<message>
<source>To the &amp;beginning</source>
<translation>Zum Anfan&amp;g</translation>
</message>
<message>
<source>One beat b&amp;ack</source>
<translation>Eine Zählzeit &amp;zurück</translation>
</message>
<message>
<source>One beat for&amp;ward</source>
<translation>Eine Zählzeit &amp;vor</translation>
</message>
<message>
<source>&amp;Loop</source>
<translation>Sch&amp;leife</translation>
</message>
<message>
<source>Loop the s&amp;election</source>
<translation>Aus&amp;wahl als Schleife</translation>
</message>
<message>
<source>Loop fro&amp;m the playhead</source>
<translation>Schleife ab de&amp;r Abspielmarke</translation>
</message>
<message>
<source>Loop &amp;up to the playhead</source>
<translation>Schleife &amp;bis zur Abspielmarke</translation>
</message>
<message>
<source>&amp;Follow playhead</source>
<translation>Abspielmarke &amp;folgen</translation>
</message>
<message>
<source>Scroll with the playhead</source>
<translation>Mit der Abspielmarke scrollen</translation>
</message>
<message>
<source>Hold fe&amp;rmatas</source>
<translation>Fermaten aus&amp;halten</translation>
</message>
<message>
<source>Hold notes under a fermata longer</source>
<translation>Noten unter einer Fermate länger aushalten</translation>
</message>
<message>
<source>Hol&amp;d fermatas in MIDI files</source>
<translation>Fermaten in MI&amp;DI-Dateien aushalten</translation>
</message>
<message>
<source>Slow the tempo down under fermatas in exported MIDI files</source>
<translation>Das Tempo unter Fermaten in exportierten MIDI-Dateien verlangsamen</translation>
</message>
<message>
<source>C&amp;hord names in MIDI files</source>
<translation>A&amp;kkordnamen in MIDI-Dateien</translation>
</message>
<message>
<source>Write chords and phrases as markers, which a DAW shows above its tracks</source>
<translation>Akkorde und Phrasen als Marker schreiben, die eine DAW über ihren Spuren zeigt</translation>
</message>
<message>
<source>Metr&amp;onome</source>
<translation>&amp;Metronom</translation>
</message>
<message>
<source>Click on the beats</source>
<translation>Klick auf den Zählzeiten</translation>
</message>
<message>
<source>&amp;Count-in</source>
<translation>E&amp;inzähler</translation>
</message>
<message>
<source>Play a bar of clicks before playback; choose when in the mixer</source>
<translation>Vor der Wiedergabe einen Takt einzählen; wann, lässt sich im Mischpult wählen</translation>
</message>
<message>
<source>Mi&amp;xer</source>
<translation>Mis&amp;chpult</translation>
</message>
<message>
<source>Show the mixer</source>
<translation>Mischpult zeigen</translation>
</message>
<message>
<source>Pa&amp;nic (all notes off)</source>
<translation>Pa&amp;nik (alle Noten aus)</translation>
</message>
<message>
<source>&amp;Takes</source>
<translation>&amp;Fassungen</translation>
</message>
<message>
<source>&amp;Use the take</source>
<translation>Fassung &amp;verwenden</translation>
</message>
<message>
<source>&amp;Play the take</source>
<translation>Fassung &amp;abspielen</translation>
</message>
<message>
<source>Play the &amp;change in a loop</source>
<translation>Änderung in &amp;Schleife abspielen</translation>
</message>
<message>
<source>&amp;Stop playing the take</source>
<translation>Abspielen der Fassung b&amp;eenden</translation>
</message>
<message>
<source>Re&amp;name…</source>
<translation>&amp;Umbenennen …</translation>
</message>
<message>
<source>&amp;Delete</source>
<translation>&amp;Löschen</translation>
</message>
<message>
<source>&amp;Export takes…</source>
<translation>Fassungen e&amp;xportieren …</translation>
</message>
<message>
<source>Loc&amp;k the selection</source>
<translation>Auswahl s&amp;perren</translation>
</message>
<message>
<source>Lock t&amp;he first chord</source>
<translation>An&amp;fangsakkord sperren</translation>
</message>
<message>
<source>Lock the la&amp;st chord</source>
<translation>Sc&amp;hlussakkord sperren</translation>
</message>
<message>
<source>Unlock everythin&amp;g</source>
<translation>Alle Sperren a&amp;ufheben</translation>
</message>
<message>
<source>Re&amp;write the selection</source>
<translation>Aus&amp;wahl neu schreiben</translation>
</message>
<message>
<source>&amp;Harmonise a melody…</source>
<translation>Melodie &amp;harmonisieren …</translation>
</message>
<message>
<source>Harmonise a ver&amp;se differently…</source>
<translation>Eine &amp;Strophe anders harmonisieren …</translation>
</message>
<message>
<source>Write a verse out in its place, with lower voices of its own</source>
<translation>Eine Strophe an ihrer Stelle ausschreiben, mit eigenen Unterstimmen</translation>
</message>
<message>
<source>H&amp;ymn from words…</source>
<translation>Kirchenlied aus &amp;Text …</translation>
</message>
<message>
<source>Note &amp;input</source>
<translation>Noteneinga&amp;be</translation>
</message>
<message>
<source>Note input: type A to G, or click on the roll ({key[rewriting.draw]})</source>
<translation>Noteneingabe: A bis G tippen oder in die Pianorolle klicken ({key[rewriting.draw]})</translation>
</message>
<message>
<source>Record a &amp;melody…</source>
<translation>Melodie au&amp;fnehmen …</translation>
</message>
<message>
<source>&amp;Next candidate</source>
<translation>Nä&amp;chster Vorschlag</translation>
</message>
<message>
<source>&amp;Previous candidate</source>
<translation>&amp;Voriger Vorschlag</translation>
</message>
<message>
<source>&amp;Accept the candidate</source>
<translation>Vorschlag &amp;übernehmen</translation>
</message>
<message>
<source>&amp;Back to the original</source>
<translation>Zurück zum Or&amp;iginal</translation>
</message>
<message>
<source>Play th&amp;e passage of the candidate</source>
<translation>Stelle des Vorschlags abs&amp;pielen</translation>
</message>
<message>
<source>Play the passage of the candidate in a loop, with the bar before it</source>
<translation>Die Stelle des Vorschlags mit dem Takt davor in einer Schleife abspielen</translation>
</message>
<message>
<source>&amp;Mark rule violations</source>
<translation>Regelverstöße &amp;markieren</translation>
</message>
<message>
<source>&amp;List of rule violations</source>
<translation>L&amp;iste der Regelverstöße</translation>
</message>
<message>
<source>List the rule violations with their sources ({key[rules.list]})</source>
<translation>Die Regelverstöße mit ihren Quellen auflisten ({key[rules.list]})</translation>
</message>
<message>
<source>Ne&amp;xt violation</source>
<translation>Nä&amp;chster Verstoß</translation>
</message>
<message>
<source>Select the notes of the next rule violation ({key[rules.next]})</source>
<translation>Die Noten des nächsten Regelverstoßes auswählen ({key[rules.next]})</translation>
</message>
<message>
<source>&amp;Previous violation</source>
<translation>V&amp;origer Verstoß</translation>
</message>
<message>
<source>Select the notes of the previous rule violation ({key[rules.previous]})</source>
<translation>Die Noten des vorigen Regelverstoßes auswählen ({key[rules.previous]})</translation>
</message>
<message>
<source>Write candidates witho&amp;ut this</source>
<translation>Ohne diesen V&amp;erstoß neu schreiben</translation>
</message>
<message>
<source>Mo&amp;dels…</source>
<translation>Mo&amp;delle …</translation>
</message>
<message>
<source>Pre&amp;ferences…</source>
<translation>Einstellun&amp;gen …</translation>
</message>
<message>
<source>&amp;Keyboard shortcuts</source>
<translation>&amp;Tastenkürzel</translation>
</message>
<message>
<source>&amp;First steps on the empty sheet</source>
<translation>&amp;Erste Schritte auf dem leeren Blatt</translation>
</message>
<message>
<source>Guides in the &amp;browser</source>
<translation>Anleitungen im &amp;Browser</translation>
</message>
<message>
<source>Open the folder with the &amp;log</source>
<translation>Ordner mit dem &amp;Protokoll öffnen</translation>
</message>
<message>
<source>Listen to &amp;A</source>
<translation>&amp;A anhören</translation>
</message>
<message>
<source>Play the piece of A</source>
<translation>Das Stück von A abspielen</translation>
</message>
<message>
<source>Listen to &amp;B</source>
<translation>&amp;B anhören</translation>
</message>
<message>
<source>Play the piece of B</source>
<translation>Das Stück von B abspielen</translation>
</message>
<message>
<source>Take this ba&amp;r from B</source>
<translation>Diesen &amp;Takt aus B übernehmen</translation>
</message>
<message>
<source>Take the bar at the playhead</source>
<translation>Den Takt an der Abspielmarke übernehmen</translation>
</message>
<message>
<source>Take the whole &amp;piece of B</source>
<translation>&amp;Ganzes Stück von B übernehmen</translation>
</message>
<message>
<source>Make the piece of B the current one</source>
<translation>Das Stück von B zum aktuellen machen</translation>
</message>
<message>
<source>To the &amp;first difference</source>
<translation>Zum &amp;ersten Unterschied</translation>
</message>
<message>
<source>Move the playhead to the first difference</source>
<translation>Die Abspielmarke auf den ersten Unterschied setzen</translation>
</message>
<message>
<source>&amp;Export the piece of B…</source>
<translation>&amp;Stück von B exportieren …</translation>
</message>
<message>
<source>Export as MIDI, score, audio or image</source>
<translation>Als MIDI, Noten, Audio oder Bild exportieren</translation>
</message>
<message>
<source>Export the &amp;differences…</source>
<translation>&amp;Unterschiede exportieren …</translation>
</message>
<message>
<source>Export the differing notes as SVG, PNG or CSV</source>
<translation>Die abweichenden Noten als SVG, PNG oder CSV exportieren</translation>
</message>
<message>
<source>&amp;Save both scores as PDF…</source>
<translation>Beide Partituren als &amp;PDF speichern …</translation>
</message>
<message>
<source>Both scores on one page, each under its model</source>
<translation>Beide Partituren auf einer Seite, jede unter ihrem Modell</translation>
</message>
<message>
<source>E&amp;nd the comparison</source>
<translation>&amp;Vergleich beenden</translation>
</message>
<message>
<source>Compare with no other model</source>
<translation>Mit keinem anderen Modell vergleichen</translation>
</message>
<message>
<source>&amp;Notes</source>
<translation>N&amp;oten</translation>
</message>
<message>
<source>Nothing is selected: click a note, drag over some, or use the arrow keys</source>
<translation>Nichts ist ausgewählt: Klicken Sie auf eine Note, ziehen Sie über mehrere oder benutzen Sie die Pfeiltasten</translation>
</message>
<message>
<source>Candidates are shown: accept one or go back first</source>
<translation>Vorschläge sind zu sehen: Übernehmen Sie zuerst einen oder gehen Sie zurück</translation>
</message>
<message>
<source>There are no candidates: rewrite something, or generate several, first</source>
<translation>Es gibt keine Vorschläge: Schreiben Sie zuerst etwas neu oder komponieren Sie mehrere</translation>
</message>
<message>
<source>There is nothing to play yet: generate or open a piece</source>
<translation>Es gibt noch nichts abzuspielen: Komponieren oder öffnen Sie ein Stück</translation>
</message>
<message>
<source>There is nothing to rewrite yet: generate or open a piece</source>
<translation>Es gibt noch nichts neu zu schreiben: Komponieren oder öffnen Sie ein Stück</translation>
</message>
<message>
<source>The piece has no words in several verses</source>
<translation>Das Stück hat keinen Text in mehreren Strophen</translation>
</message>
<message>
<source>No model is installed</source>
<translation>Kein Modell ist installiert</translation>
</message>
<message>
<source>There is nothing to lock yet: generate or open a piece</source>
<translation>Es gibt noch nichts zu sperren: Komponieren oder öffnen Sie ein Stück</translation>
</message>
<message>
<source>Nothing is locked</source>
<translation>Nichts ist gesperrt</translation>
</message>
<message>
<source>There is nothing to export yet: generate or open a piece</source>
<translation>Es gibt noch nichts zu exportieren: Komponieren oder öffnen Sie ein Stück</translation>
</message>
<message>
<source>There is nothing to print yet: generate or open a piece</source>
<translation>Es gibt noch nichts zu drucken: Komponieren oder öffnen Sie ein Stück</translation>
</message>
<message>
<source>There is nothing to save yet: generate or open a piece</source>
<translation>Es gibt noch nichts zu speichern: Komponieren oder öffnen Sie ein Stück</translation>
</message>
<message>
<source>There is a piece on the sheet: File &gt; New starts with an empty one</source>
<translation>Auf dem Blatt steht schon ein Stück: Datei &gt; Neu beginnt mit einem leeren</translation>
</message>
<message>
<source>Nothing is being generated</source>
<translation>Es wird gerade nichts komponiert</translation>
</message>
<message>
<source>&amp;File</source>
<translation>&amp;Datei</translation>
</message>
<message>
<source>&amp;Edit</source>
<translation>&amp;Bearbeiten</translation>
</message>
<message>
<source>Pi&amp;ece</source>
<translation>Stü&amp;ck</translation>
</message>
<message>
<source>L&amp;ock voices</source>
<translation>St&amp;immen sperren</translation>
</message>
<message>
<source>&amp;Compose</source>
<translation>&amp;Komponieren</translation>
</message>
<message>
<source>Form for a l&amp;oop</source>
<translation>Sch&amp;leife vorbereiten</translation>
</message>
<message>
<source>&amp;Continue the piece</source>
<translation>Stück fortset&amp;zen</translation>
</message>
<message>
<source>Two mode&amp;ls</source>
<translation>Zwei &amp;Modelle</translation>
</message>
<message>
<source>De&amp;vice</source>
<translation>&amp;Gerät</translation>
</message>
<message>
<source>&amp;Play</source>
<comment>menu</comment>
<translation>&amp;Wiedergabe</translation>
</message>
<message>
<source>&amp;View</source>
<translation>&amp;Ansicht</translation>
</message>
<message>
<source>Colo&amp;ur notes by</source>
<translation>Noten färben nac&amp;h</translation>
</message>
<message>
<source>T&amp;heme</source>
<translation>&amp;Design</translation>
</message>
<message>
<source>&amp;Help</source>
<translation>&amp;Hilfe</translation>
</message>
<message>
<source>&amp;System</source>
<translation>&amp;System</translation>
</message>
<message>
<source>&amp;Light</source>
<translation>&amp;Hell</translation>
</message>
<message>
<source>&amp;Dark</source>
<translation>&amp;Dunkel</translation>
</message>
<message>
<source>&amp;Voice</source>
<translation>&amp;Stimme</translation>
</message>
<message>
<source>&amp;Surprisal</source>
<translation>&amp;Überraschung</translation>
</message>
<message>
<source>&amp;Automatic</source>
<translation>&amp;Automatisch</translation>
</message>
<message>
<source>&amp;Processor (CPU)</source>
<translation>&amp;Prozessor (CPU)</translation>
</message>
<message>
<source>&amp;NVIDIA GPU (CUDA)</source>
<translation>&amp;NVIDIA-GPU (CUDA)</translation>
</message>
<message>
<source>App&amp;le GPU (Metal)</source>
<translation>App&amp;le-GPU (Metal)</translation>
</message>
<message>
<source>No star</source>
<translation>Kein Stern</translation>
</message>
<message>
<source>One star</source>
<translation>Ein Stern</translation>
</message>
<message>
<source>Two stars</source>
<translation>Zwei Sterne</translation>
</message>
<message>
<source>Three stars</source>
<translation>Drei Sterne</translation>
</message>
<message>
<source>Open &amp;recent</source>
<translation>Zu&amp;letzt geöffnet</translation>
</message>
<message>
<source>M&amp;IDI output</source>
<translation>MIDI-A&amp;usgang</translation>
</message>
<message>
<source>&amp;Guides</source>
<translation>&amp;Anleitungen</translation>
</message>
<message>
<source>&amp;No other model</source>
<translation>&amp;Kein anderes Modell</translation>
</message>
<message>
<source>Compare with a second model, B, which gets the same requests: seed, form, locks and rules; its roll is below the roll of A</source>
<translation>Mit einem zweiten Modell B vergleichen, das dieselben Aufträge erhält: Startwert, Formular, Sperren und Regeln; seine Pianorolle steht unter der von A</translation>
</message>
<message>
<source>{model} is model A, the one chosen in the form: choose another one as B</source>
<translation>{model} ist Modell A, das im Formular gewählte: Wählen Sie für B ein anderes</translation>
</message>
<message>
<source>An internal error occurred; see {path} for the details.</source>
<translation>Ein interner Fehler ist aufgetreten; Einzelheiten stehen in {path}.</translation>
</message>
<message>
<source>Point at the map, or select a note in the roll by mouse or arrow keys.</source>
<translation>Zeigen Sie auf die Karte, oder wählen Sie mit der Maus oder den Pfeiltasten eine Note in der Pianorolle.</translation>
</message>
<message>
<source>Test the model: order, padding, heads, scale, length, cache</source>
<translation>Das Modell prüfen: Reihenfolge, Auffüllung, Köpfe, Skalierung, Länge, Zwischenspeicher</translation>
</message>
<message>
<source>A second model, B, that reads the same piece; both are compared in all views</source>
<translation>Ein zweites Modell, B, das dasselbe Stück liest; alle Ansichten vergleichen die beiden</translation>
</message>
<message>
<source>&amp;Maps</source>
<translation>Kart&amp;en</translation>
</message>
<message>
<source>The heads and the attention map of the chosen one</source>
<translation>Die Köpfe und die Aufmerksamkeitskarte des gewählten</translation>
</message>
<message>
<source>All heads</source>
<translation>Alle Köpfe</translation>
</message>
<message>
<source>Export this view…</source>
<translation>Diese Ansicht exportieren …</translation>
</message>
<message>
<source>There is nothing to export in this view yet</source>
<translation>In dieser Ansicht gibt es noch nichts zu exportieren</translation>
</message>
<message>
<source> (largest weight)</source>
<translation> (größtes Gewicht)</translation>
</message>
<message>
<source>Reset &amp;zoom</source>
<translation>&amp;Zoom zurück</translation>
</message>
<message>
<source>Show the whole map again (0)</source>
<translation>Wieder die ganze Karte zeigen (0)</translation>
</message>
<message>
<source>Show the attention to the given notes instead of that to the written ones</source>
<translation>Die Aufmerksamkeit auf die vorgegebenen Noten zeigen statt der auf die geschriebenen</translation>
</message>
<message>
<source>Model A</source>
<translation>Modell A</translation>
</message>
<message>
<source>Model B</source>
<translation>Modell B</translation>
</message>
<message>
<source>generated this piece</source>
<translation>schrieb das Stück</translation>
</message>
<message>
<source>did not generate this piece as it is</source>
<translation>schrieb das Stück so nicht</translation>
</message>
<message>
<source>Save this view as a picture (PNG, SVG) or its numbers (CSV)</source>
<translation>Diese Ansicht als Bild (PNG, SVG) oder ihre Zahlen (CSV) speichern</translation>
</message>
<message>
<source>&amp;Note</source>
<translation>&amp;Note</translation>
</message>
<message>
<source>Attention of the chosen note over time; of A and B on the same scale</source>
<translation>Aufmerksamkeit der gewählten Note im Zeitverlauf; A und B im selben Maßstab</translation>
</message>
<message>
<source>Shares</source>
<translation>Anteile</translation>
</message>
<message>
<source>Attention by distance and voice, and the difference of A and B</source>
<translation>Aufmerksamkeit nach Abstand und Stimme, und der Unterschied von A und B</translation>
</message>
<message>
<source>S&amp;urprisal</source>
<translation>Übe&amp;rraschung</translation>
</message>
<message>
<source>Which notes surprise A more, and which B; their running sum</source>
<translation>Welche Noten A mehr überraschen und welche B, und ihre laufende Summe</translation>
</message>
<message>
<source>Claims</source>
<translation>Thesen</translation>
</message>
<message>
<source>What was claimed about relative attention in 2018, measured here</source>
<translation>Was 2018 über relative Aufmerksamkeit behauptet wurde, hier nachgemessen</translation>
</message>
<message>
<source>Places</source>
<translation>Orte</translation>
</message>
<message>
<source>Where the heads of a DaRoPE model put the notes, and where these are</source>
<translation>Wohin die Köpfe eines DaRoPE-Modells die Noten setzen, und wo diese stehen</translation>
</message>
<message>
<source>Select a note in the roll to see what it attends to.</source>
<translation>Wählen Sie eine Note in der Pianorolle, um zu sehen, worauf sie achtet.</translation>
</message>
<message>
<source>Choose a second model, B, to see where in the piece each of the two predicts better.</source>
<translation>Wählen Sie ein zweites Modell, B, um zu sehen, welches der beiden wo im Stück besser vorhersagt.</translation>
</message>
<message>
<source>Only heads of models with the scheme DaRoPE learn places for notes: choose one as A, and a finished piece.</source>
<translation>Nur die Köpfe von Modellen mit dem Positionsverfahren DaRoPE lernen Orte für Noten: Wählen Sie ein solches als A und ein fertiges Stück.</translation>
</message>
<message>
<source>Both models are reading the piece …</source>
<translation>Beide Modelle lesen das Stück …</translation>
</message>
<message>
<source>No note of the piece has been read yet.</source>
<translation>Noch keine Note des Stücks ist gelesen.</translation>
</message>
<message>
<source>E&amp;xport…</source>
<translation>E&amp;xportieren …</translation>
</message>
<message>
<source>Diagnose…</source>
<translation>Diagnose …</translation>
</message>
<message>
<source>C&amp;ross-attention</source>
<translation>Cross-Attenti&amp;on</translation>
</message>
<message>
<source>Export the view</source>
<translation>Ansicht exportieren</translation>
</message>
<message>
<source>Another view is still being exported: try again in a moment</source>
<translation>Eine andere Ansicht wird noch exportiert: Versuchen Sie es gleich noch einmal</translation>
</message>
<message>
<source>Attention map</source>
<translation>Aufmerksamkeitskarte</translation>
</message>
<message>
<source>Shares of attention</source>
<translation>Anteile der Aufmerksamkeit</translation>
</message>
<message>
<source>Select a head by mouse or arrow keys; each has its own colour scale. {keys} Right-click for more.</source>
<translation>Einen Kopf mit der Maus oder den Pfeiltasten wählen; jeder hat seine eigene Farbskala. {keys} Weiteres per Rechtsklick.</translation>
</message>
<message>
<source>Heads</source>
<translation>Köpfe</translation>
</message>
<message>
<source>Findings of the probes</source>
<translation>Befunde der Prüfungen</translation>
</message>
<message>
<source>Probe</source>
<translation>Prüfung</translation>
</message>
<message>
<source>Verdict</source>
<translation>Urteil</translation>
</message>
<message>
<source>Finding</source>
<translation>Befund</translation>
</message>
<message>
<source>order</source>
<comment>probe</comment>
<translation>Reihenfolge</translation>
</message>
<message>
<source>flat</source>
<comment>probe</comment>
<translation>Gleichförmigkeit</translation>
</message>
<message>
<source>padding</source>
<translation>Auffüllung</translation>
</message>
<message>
<source>collapse</source>
<translation>Kollaps</translation>
</message>
<message>
<source>scale</source>
<comment>probe</comment>
<translation>Skalierung</translation>
</message>
<message>
<source>length</source>
<comment>probe</comment>
<translation>Länge</translation>
</message>
<message>
<source>cache</source>
<translation>Zwischenspeicher</translation>
</message>
<message>
<source>mask</source>
<translation>Maske</translation>
</message>
<message>
<source>wrong</source>
<translation>falsch</translation>
</message>
<message>
<source>notable</source>
<translation>auffällig</translation>
</message>
<message>
<source>ok</source>
<translation>in Ordnung</translation>
</message>
<message>
<source>Testing {model} …</source>
<translation>{model} wird geprüft …</translation>
</message>
<message>
<source>Diagnosis</source>
<translation>Diagnose</translation>
</message>
<message>
<source>Mute {head}</source>
<translation>{head} stummschalten</translation>
</message>
<message>
<source>Unmute {head}</source>
<translation>{head} wieder einschalten</translation>
</message>
<message>
<source>Unmute all heads</source>
<translation>Alle Köpfe wieder einschalten</translation>
</message>
<message>
<source>M mutes the head, Shift+M its layer.</source>
<translation>M schaltet den Kopf stumm, Umschalt+M seine Schicht.</translation>
</message>
<message>
<source>Replace the piece with this candidate; Undo restores it ({key[rewriting.accept]})</source>
<translation>Das Stück durch diesen Vorschlag ersetzen; „Rückgängig“ stellt es wieder her ({key[rewriting.accept]})</translation>
</message>
<message>
<source>Wait until the candidates are finished, then select one</source>
<translation>Warten Sie, bis die Vorschläge fertig sind, und wählen Sie dann einen aus</translation>
</message>
<message>
<source>Try again</source>
<translation>Noch einmal</translation>
</message>
<message>
<source>Write other candidates of this passage, with more of its voices</source>
<translation>Andere Vorschläge für diese Stelle schreiben, mit mehr von ihren Stimmen</translation>
</message>
<message>
<source>Play the passage in a loop, with the bar before it ({key[rewriting.play_passage]})</source>
<translation>Die Stelle als Schleife abspielen, mit dem Takt davor ({key[rewriting.play_passage]})</translation>
</message>
<message>
<source>Close the candidates ({key[rewriting.back]})</source>
<translation>Vorschläge schließen ({key[rewriting.back]})</translation>
</message>
<message>
<source>Candidates, the original first, then the best</source>
<translation>Vorschläge, zuerst das Original, dann die besten</translation>
</message>
<message>
<source>More columns</source>
<translation>Mehr Spalten</translation>
</message>
<message>
<source>The measures that rank the candidates, and their weights</source>
<translation>Die Maße, nach denen die Vorschläge geordnet sind, und ihre Gewichte</translation>
</message>
<message>
<source>Original</source>
<translation>Original</translation>
</message>
<message>
<source>Candidate {number}</source>
<translation>Vorschlag {number}</translation>
</message>
<message>
<source>Candidates</source>
<translation>Vorschläge</translation>
</message>
<message>
<source>Accept</source>
<translation>Übernehmen</translation>
</message>
<message>
<source>Progress</source>
<translation>Fortschritt</translation>
</message>
<message>
<source>The model’s choice</source>
<translation>Wählt das Modell</translation>
</message>
<message>
<source>Number of candidates to generate and rank, for new pieces and rewritten passages; their seeds follow the one above</source>
<translation>Wie viele Vorschläge geschrieben und geordnet werden, für neue Stücke und neu geschriebene Stellen; ihre Startwerte folgen auf den obigen</translation>
</message>
<message>
<source>Nats per note: loss of the model on pieces it was not trained on, -ln p of all tokens divided by the number of notes; lower is better</source>
<translation>Nat je Note: Verlust des Modells auf Stücken, mit denen es nicht trainiert wurde, -ln p aller Token geteilt durch die Zahl der Noten; weniger ist besser</translation>
</message>
<message>
<source>auto</source>
<translation>auto</translation>
</message>
<message>
<source>Length of the piece, including a pickup; auto: as in Bach, drawn with the seed</source>
<translation>Länge des Stücks, mit Auftakt; auto: wie bei Bach, mit dem Startwert ausgelost</translation>
</message>
<message>
<source>Upbeat; pieces with a pickup of one quarter end on the tonic more often</source>
<translation>Stücke mit einem Viertel Auftakt schließen öfter auf der Tonika</translation>
</message>
<message>
<source>Phrases, each ending with a fermata: as in Bach’s chorales, none, or the number of bars of each, such as 2,2,4. They are shown as brackets above the roll; drag their ends there.</source>
<translation>Phrasen, jede mit einer Fermate am Ende: wie in Bachs Chorälen, keine oder die Zahl der Takte jeder Phrase, etwa 2,2,4. Über der Pianorolle stehen sie als Klammern, deren Enden sich dort ziehen lassen.</translation>
</message>
<message>
<source>Cadence of all phrases, including the last; click a bracket above the roll to choose it for one phrase. Candidates with more of these cadences are ranked first.</source>
<translation>Kadenz aller Phrasen, auch der letzten; für eine einzelne Phrase klicken Sie auf ihre Klammer über der Pianorolle. Vorschläge mit mehr dieser Kadenzen stehen vorn.</translation>
</message>
<message>
<source>Begins on</source>
<translation>Beginn</translation>
</message>
<message>
<source>First chord of new pieces; at normal and high quality models search for it</source>
<translation>Erster Akkord neuer Stücke; bei normaler und hoher Qualität suchen die Modelle danach</translation>
</message>
<message>
<source>A A B: the first phrases come twice, the second time with the same notes or another ending; as in Bach, if the bars are, too</source>
<translation>A A B: Die ersten Phrasen kommen zweimal, beim zweiten Mal mit denselben Noten oder einem anderen Schluss; wie bei Bach, wenn die Takte es auch sind</translation>
</message>
<message>
<source>Beats in a bar</source>
<translation>Zählzeiten in einem Takt</translation>
</message>
<message>
<source>Whose pieces new ones sound like: Bach’s chorales, hymns, or your own pieces once a model was taught them on the Experiment page. Passages of a voice are rewritten like Bach’s.</source>
<translation>Wonach neue Stücke klingen: Bachs Choräle, Kirchenlieder oder Ihre eigenen Stücke, sobald ein Modell sie auf der Seite „Experiment“ gelernt hat. Stellen einer Stimme werden im Stil Bachs neu geschrieben.</translation>
</message>
<message>
<source>New pieces get these words, with the rhythm and the phrases of their lines</source>
<translation>Neue Stücke erhalten diesen Text, mit Rhythmus und Phrasen seiner Zeilen</translation>
</message>
<message>
<source>Key of the piece</source>
<translation>Tonart des Stücks</translation>
</message>
<message>
<source>Models, temperature, top-p, quality, beginning, form and rules</source>
<translation>Modelle, Temperatur, Top-p, Qualität, Beginn, Form und Regeln</translation>
</message>
<message>
<source>Unlikely notes are left out; for new pieces</source>
<translation>Unwahrscheinliche Noten fallen weg; für neue Stücke</translation>
</message>
<message>
<source>Mode&amp;l for writing</source>
<translation>Mode&amp;ll zum Schreiben</translation>
</message>
<message>
<source>Mana&amp;ge models…</source>
<translation>Modelle verwalte&amp;n …</translation>
</message>
<message>
<source>Cards, import and removal of models ({key[library.models]})</source>
<translation>Karten, Import und Entfernen von Modellen ({key[library.models]})</translation>
</message>
<message>
<source>Model for re&amp;writing</source>
<translation>Modell zum Neus&amp;chreiben</translation>
</message>
<message>
<source>Form</source>
<translation>Formular</translation>
</message>
<message>
<source>St&amp;yle</source>
<translation>St&amp;il</translation>
</message>
<message>
<source>Words</source>
<translation>Text</translation>
</message>
<message>
<source>&amp;Bars</source>
<translation>&amp;Takte</translation>
</message>
<message>
<source>&amp;Meter</source>
<translation>Takta&amp;rt</translation>
</message>
<message>
<source>&amp;Key</source>
<translation>T&amp;onart</translation>
</message>
<message>
<source>Phra&amp;ses</source>
<translation>&amp;Phrasen</translation>
</message>
<message>
<source>P&amp;ickup</source>
<translation>A&amp;uftakt</translation>
</message>
<message>
<source>Cade&amp;nces</source>
<translation>Kaden&amp;zen</translation>
</message>
<message>
<source>&amp;Ranges</source>
<translation>U&amp;mfänge</translation>
</message>
<message>
<source>Generation</source>
<translation>Komposition</translation>
</message>
<message>
<source>See&amp;d</source>
<translation>&amp;Startwert</translation>
</message>
<message>
<source>C&amp;andidates</source>
<translation>&amp;Vorschläge</translation>
</message>
<message>
<source>Advanced</source>
<translation>Erweitert</translation>
</message>
<message>
<source>Temperat&amp;ure</source>
<translation>T&amp;emperatur</translation>
</message>
<message>
<source>Top-p</source>
<translation>Top-p</translation>
</message>
<message>
<source>&amp;Quality</source>
<translation>&amp;Qualität</translation>
</message>
<message>
<source>Form</source>
<comment>music</comment>
<translation>Form</translation>
</message>
<message>
<source>Rules</source>
<translation>Regeln</translation>
</message>
<message>
<source>Roll</source>
<translation>Rolle</translation>
</message>
<message>
<source>Notes as a piano roll</source>
<translation>Noten als Pianorolle</translation>
</message>
<message>
<source>Score</source>
<translation>Noten</translation>
</message>
<message>
<source>Notes as an engraved score</source>
<translation>Noten als Notenbild</translation>
</message>
<message>
<source>Colour notes by surprisal (Ctrl+U)</source>
<translation>Noten nach Überraschung färben (Strg+U)</translation>
</message>
<message>
<source>Four staves ({key[four_staves]})</source>
<translation>Vier Notensysteme ({key[four_staves]})</translation>
</message>
<message>
<source>Zoom out ({key[zoom_out]})</source>
<translation>Verkleinern ({key[zoom_out]})</translation>
</message>
<message>
<source>Fit whole piece ({key[zoom_fit]})</source>
<translation>Ganzes Stück einpassen ({key[zoom_fit]})</translation>
</message>
<message>
<source>Zoom in ({key[zoom_in]})</source>
<translation>Vergrößern ({key[zoom_in]})</translation>
</message>
<message>
<source>Export…</source>
<translation>Exportieren …</translation>
</message>
<message>
<source>Harmonise a melody…</source>
<translation>Melodie harmonisieren …</translation>
</message>
<message>
<source>Hymn from words…</source>
<translation>Kirchenlied aus Text …</translation>
</message>
<message>
<source>Stopping …</source>
<translation>Hält an …</translation>
</message>
<message>
<source>Stop generating ({key[stop]})</source>
<translation>Schreiben anhalten ({key[stop]})</translation>
</message>
<message>
<source>Generate a new piece ({key[generate]})</source>
<translation>Ein neues Stück komponieren ({key[generate]})</translation>
</message>
<message>
<source>Unmute all</source>
<translation>Alle einschalten</translation>
</message>
<message>
<source>Muted heads</source>
<translation>Stumme Köpfe</translation>
</message>
<message>
<source>Stop</source>
<translation>Stopp</translation>
</message>
<message>
<source>Generate</source>
<translation>Komponieren</translation>
</message>
<message>
<source>Own lengths…</source>
<translation>Eigene Längen …</translation>
</message>
<message>
<source>Choose a model</source>
<translation>Modell wählen</translation>
</message>
<message>
<source>More</source>
<translation>Weitere</translation>
</message>
<message>
<source>Bars of each phrase, such as 2,2,4; each ends with a fermata. In 2:3 it has three quarters</source>
<translation>Takte jeder Phrase, etwa 2,2,4; jede endet mit einer Fermate. In 2:3 dauert sie drei Viertel</translation>
</message>
<message>
<source>Drawn from Bach’s chorales; each seed draws others</source>
<translation>Aus Bachs Chorälen ausgelost; jeder Startwert lost andere aus</translation>
</message>
<message>
<source>None</source>
<comment>phrases</comment>
<translation>Keine</translation>
</message>
<message>
<source>The model ends phrases where it likes</source>
<translation>Das Modell beendet Phrasen, wo es will</translation>
</message>
<message>
<source>By phrase</source>
<translation>Je Phrase</translation>
</message>
<message>
<source>As at the brackets above the roll</source>
<translation>Wie an den Klammern über der Pianorolle</translation>
</message>
<message>
<source>Ranges</source>
<translation>Umfänge</translation>
</message>
<message>
<source>No crossing</source>
<translation>Keine Kreuzung</translation>
</message>
<message>
<source>No parallels</source>
<translation>Keine Parallelen</translation>
</message>
<message>
<source>Scale of the key</source>
<translation>Tonleiter</translation>
</message>
<message>
<source>No rests</source>
<translation>Keine Pausen</translation>
</message>
<message>
<source>Remove the words: new pieces have none, and a rhythm of their own</source>
<translation>Den Text entfernen: Neue Stücke haben dann keinen Text und ihren eigenen Rhythmus</translation>
</message>
<message>
<source>Notes that break this rule are never generated.</source>
<translation>Noten, die diese Regel verletzen, werden nie geschrieben.</translation>
</message>
<message>
<source>Custom…</source>
<translation>Eigene …</translation>
</message>
<message>
<source>Lowest and highest note of each voice; models write {low} to {high}</source>
<translation>Tiefste und höchste Note jeder Stimme; Modelle schreiben {low} bis {high}</translation>
</message>
<message>
<source># ♯</source>
<comment>typed sharps</comment>
<translation># ♯ is</translation>
</message>
<message>
<source>b ♭</source>
<comment>typed flats</comment>
<translation>b ♭ es</translation>
</message>
<message>
<source>{voice}, lowest note</source>
<translation>{voice}, tiefste Note</translation>
</message>
<message>
<source>{voice}, highest note</source>
<translation>{voice}, höchste Note</translation>
</message>
<message>
<source>Reset all weights to their defaults</source>
<translation>Alle Gewichte auf die Standardwerte zurücksetzen</translation>
</message>
<message>
<source>Score: sum of weight × measure; the lowest score is ranked first</source>
<translation>Punktzahl: Summe aus Gewicht × Maß; die niedrigste steht vorn</translation>
</message>
<message>
<source>Weight of {measure}</source>
<translation>Gewicht von {measure}</translation>
</message>
<message>
<source>Phrases</source>
<translation>Phrasen</translation>
</message>
<message>
<source>Reset</source>
<translation>Zurücksetzen</translation>
</message>
<message>
<source>Weights</source>
<translation>Gewichte</translation>
</message>
<message>
<source>The roll is empty: generate or open a piece first</source>
<translation>Die Pianorolle ist leer: Komponieren oder öffnen Sie zuerst ein Stück</translation>
</message>
<message>
<source>No model can harmonise: import one with Compose &gt; Models…</source>
<translation>Kein Modell kann harmonisieren: Importieren Sie eines mit „Komponieren &gt; Modelle …“</translation>
</message>
<message>
<source>This model sees the whole melody before it generates the first note.</source>
<translation>Dieses Modell sieht die ganze Melodie, bevor es die erste Note schreibt.</translation>
</message>
<message>
<source>This model writes a few bars at a time and reads ahead in the melody to choose among several versions, except at draft quality.</source>
<translation>Dieses Modell schreibt einige Takte auf einmal und liest in der Melodie voraus, um unter mehreren Versionen zu wählen, außer bei der Qualität „Entwurf“.</translation>
</message>
<message>
<source>Current piece</source>
<translation>Aktuelles Stück</translation>
</message>
<message>
<source>Current piece: {title}</source>
<translation>Aktuell: {title}</translation>
</message>
<message>
<source>Generate three voices for a given one. The melody does not change.</source>
<translation>Drei Stimmen zu einer gegebenen schreiben. Die Melodie bleibt, wie sie ist.</translation>
</message>
<message>
<source>A bundled melody, the piece on the roll, a file, or a recording</source>
<translation>Eine mitgelieferte Melodie, das Stück auf der Pianorolle, eine Datei oder eine Aufnahme</translation>
</message>
<message>
<source>As in the melody</source>
<translation>Wie in der Melodie</translation>
</message>
<message>
<source>All, the same harmony</source>
<translation>Alle, derselbe Satz</translation>
</message>
<message>
<source>Verse {verse}, a harmony of its own</source>
<translation>Strophe {verse}, ein eigener Satz</translation>
</message>
<message>
<source>A verse with a harmony of its own is written out in its place; the others stay as they are</source>
<translation>Eine Strophe mit eigenem Satz wird an ihrer Stelle ausgeschrieben; die anderen bleiben, wie sie sind</translation>
</message>
<message>
<source>Choose the current piece, with words in several verses, to harmonise one of them</source>
<translation>Um eine Strophe zu harmonisieren, wählen Sie das aktuelle Stück, mit Text in mehreren Strophen</translation>
</message>
<message>
<source>The verse keeps its melody and its phrases; the model that rewrites writes the other voices</source>
<translation>Die Strophe behält Melodie und Phrasen; das Modell zum Neuschreiben schreibt die anderen Stimmen</translation>
</message>
<message>
<source>Bars of each phrase, such as 2,2,4, with a pickup in the first; each ends with a fermata</source>
<translation>Takte jeder Phrase, etwa 2,2,4, ein Auftakt gehört zur ersten; jede endet mit einer Fermate</translation>
</message>
<message>
<source>The file is read when you harmonise</source>
<translation>Die Datei wird beim Harmonisieren gelesen</translation>
</message>
<message>
<source>Number of harmonisations to generate and rank; the same as Candidates in the form</source>
<translation>Wie viele Sätze geschrieben und geordnet werden; wie „Vorschläge“ im Formular</translation>
</message>
<message>
<source>Harmonise a melody</source>
<translation>Melodie harmonisieren</translation>
</message>
<message>
<source>A melody in a MIDI, MusicXML, ABC or JSON file</source>
<translation>Eine Melodie in einer MIDI-, MusicXML-, ABC- oder JSON-Datei</translation>
</message>
<message>
<source>Record a melody on a MIDI keyboard ({key[rewriting.record]})</source>
<translation>Eine Melodie auf einem MIDI-Keyboard aufnehmen ({key[rewriting.record]})</translation>
</message>
<message>
<source>The melody</source>
<translation>Die Melodie</translation>
</message>
<message>
<source>Model that generates the other voices</source>
<translation>Modell, das die anderen Stimmen schreibt</translation>
</message>
<message>
<source>Harmonise</source>
<translation>Harmonisieren</translation>
</message>
<message>
<source>&amp;File…</source>
<translation>&amp;Datei …</translation>
</message>
<message>
<source>&amp;Record…</source>
<translation>&amp;Aufnehmen …</translation>
</message>
<message>
<source>&amp;Melody</source>
<translation>&amp;Melodie</translation>
</message>
<message>
<source>V&amp;erses</source>
<translation>S&amp;trophen</translation>
</message>
<message>
<source>P&amp;hrases</source>
<translation>&amp;Phrasen</translation>
</message>
<message>
<source>M&amp;odel</source>
<translation>M&amp;odell</translation>
</message>
<message>
<source>&amp;Candidates</source>
<translation>&amp;Vorschläge</translation>
</message>
<message>
<source>A hymn from words</source>
<translation>Kirchenlied aus Text</translation>
</message>
<message>
<source>The first verse gives the phrases and the rhythm of the melody, a note for each syllable; the others go under it. Model, key, cadences, ranges, quality, seed and candidates are those of the form, which keeps the words: Generate composes the next hymn.</source>
<translation>Die erste Strophe gibt Phrasen und Rhythmus der Melodie vor, eine Note je Silbe; die anderen stehen darunter. Modell, Tonart, Kadenzen, Umfänge, Qualität, Startwert und Vorschläge sind die des Formulars, das den Text behält: „Komponieren“ schreibt das nächste Kirchenlied.</translation>
</message>
<message>
<source>A melody by the model, or a bundled tune of the same metre, to be harmonised</source>
<translation>Eine Melodie des Modells oder eine mitgelieferte im selben Versmaß, die harmonisiert wird</translation>
</message>
<message>
<source>A new one</source>
<translation>Eine neue</translation>
</message>
<message>
<source>As in hymnals, such as 8.7.8.7 D or C.M.; empty: counted from the first verse</source>
<translation>Wie in Gesangbüchern, etwa 8.7.8.7 D oder C.M.; leer: aus der ersten Strophe gezählt</translation>
</message>
<message>
<source>Counted from the words</source>
<translation>Aus dem Text gezählt</translation>
</message>
<message>
<source>Lines &amp;begin</source>
<translation>&amp;Zeilenbeginn</translation>
</message>
<message>
<source>Whether the first note of each line comes before the bar line</source>
<translation>Ob die erste Note jeder Zeile vor dem Taktstrich steht</translation>
</message>
<message>
<source>Ti&amp;me signature</source>
<translation>&amp;Taktart</translation>
</message>
<message>
<source>In 3/4 stressed syllables have half notes</source>
<translation>Im 3/4-Takt haben betonte Silben halbe Noten</translation>
</message>
<message>
<source>The tune has its own rhythm</source>
<translation>Die Melodie hat ihren eigenen Rhythmus</translation>
</message>
<message>
<source>Me&amp;tre</source>
<translation>&amp;Versmaß</translation>
</message>
<message>
<source>Mel&amp;ody</source>
<translation>&amp;Melodie</translation>
</message>
<message>
<source>Phrases can be changed in {meters} only: this piece is in {meter}</source>
<translation>Phrasen lassen sich nur in {meters} ändern: Dieses Stück steht in {meter}</translation>
</message>
<message>
<source>Rewrite everything</source>
<translation>Alles neu schreiben</translation>
</message>
<message>
<source>all notes that are not locked</source>
<translation>alle nicht gesperrten Noten</translation>
</message>
<message>
<source>Different</source>
<translation>Anders</translation>
</message>
<message>
<source>about six notes in ten, chosen at random</source>
<translation>etwa sechs von zehn Noten, zufällig gewählt</translation>
</message>
<message>
<source>Similar</source>
<translation>Ähnlich</translation>
</message>
<message>
<source>about three notes in ten, chosen at random</source>
<translation>etwa drei von zehn Noten, zufällig gewählt</translation>
</message>
<message>
<source>Very similar</source>
<translation>Sehr ähnlich</translation>
</message>
<message>
<source>about one note in ten, chosen at random</source>
<translation>etwa eine von zehn Noten, zufällig gewählt</translation>
</message>
<message>
<source>Rewrite selection</source>
<translation>Auswahl neu schreiben</translation>
</message>
<message>
<source>Vary piece</source>
<translation>Stück variieren</translation>
</message>
<message>
<source>Cancel</source>
<translation>Abbrechen</translation>
</message>
<message>
<source>Generate other notes for the selection; all others are kept</source>
<translation>Andere Noten für die Auswahl schreiben; alle übrigen bleiben</translation>
</message>
<message>
<source>Rewrite all notes that are not locked; to rewrite only a passage, select it</source>
<translation>Alle nicht gesperrten Noten neu schreiben; für eine einzelne Stelle wählen Sie diese aus</translation>
</message>
<message>
<source>How much of the piece is rewritten</source>
<translation>Wie viel des Stücks neu geschrieben wird</translation>
</message>
<message>
<source>All selected notes are rewritten</source>
<translation>Alle ausgewählten Noten werden neu geschrieben</translation>
</message>
<message>
<source>Add bars at the end; existing notes do not change (Ctrl+Shift+G)</source>
<translation>Takte am Ende anfügen; vorhandene Noten bleiben (Strg+Umschalt+G)</translation>
</message>
<message>
<source>Rewrite {what}</source>
<translation>Neu schreiben: {what}</translation>
</message>
<message>
<source>{tip} ({key[rewriting.rewrite]})

{lookahead}</source>
<translation>{tip} ({key[rewriting.rewrite]})

{lookahead}</translation>
</message>
<message>
<source>Amount of change</source>
<translation>Maß der Änderung</translation>
</message>
<message>
<source>Continue ▾</source>
<translation>Fortsetzen ▾</translation>
</message>
<message>
<source>Compare with another model</source>
<translation>Mit einem anderen Modell vergleichen</translation>
</message>
<message>
<source>Continue the piece</source>
<translation>Stück fortsetzen</translation>
</message>
<message>
<source>Generate a piece to see the attention of the model.</source>
<translation>Komponieren Sie ein Stück, um die Aufmerksamkeit des Modells zu sehen.</translation>
</message>
<message>
<source>No note has been generated yet.</source>
<translation>Noch ist keine Note komponiert.</translation>
</message>
<message>
<source>Analysing the piece with {model} …</source>
<translation>{model} analysiert das Stück …</translation>
</message>
<message>
<source>Analysing the piece with {model}: {share:.0%}</source>
<translation>{model} analysiert das Stück: {share:.0%}</translation>
</message>
<message>
<source>No model is installed.</source>
<translation>Kein Modell ist installiert.</translation>
</message>
<message>
<source>This piece has {tokens:,} cells. Attention is available for pieces of up to {most:,} cells ({bars} bars of 4/4), because the weights of all heads would take gigabytes.</source>
<translation>Dieses Stück hat {tokens:,} Zellen. Die Aufmerksamkeit gibt es für Stücke bis {most:,} Zellen ({bars} Takte im 4/4-Takt), denn die Gewichte aller Köpfe würden Gigabytes belegen.</translation>
</message>
<message>
<source>Exported {name} to {folder}</source>
<translation>{name} nach {folder} exportiert</translation>
</message>
<message>
<source>Model whose attention is shown; the one that writes is chosen in Compose, under Advanced</source>
<translation>Modell, dessen Aufmerksamkeit gezeigt wird; welches schreibt, bestimmen Sie unter Komponieren bei „Erweitert“</translation>
</message>
<message>
<source>The model that is generating; another one can be chosen when it has finished</source>
<translation>Das Modell, das gerade komponiert; ein anderes lässt sich wählen, wenn es fertig ist</translation>
</message>
<message>
<source>No second model</source>
<translation>Kein zweites</translation>
</message>
<message>
<source>No other model that reads a piece as this one does is installed</source>
<translation>Kein anderes Modell, das ein Stück wie dieses liest, ist installiert</translation>
</message>
<message>
<source>Show the engraved score first</source>
<translation>Zeigen Sie zuerst das Notenbild</translation>
</message>
<message>
<source>No score yet</source>
<translation>Noch kein Notenbild</translation>
</message>
<message>
<source>Generate or open a piece to see its score, or write notes ({key[rewriting.draw]}).</source>
<translation>Komponieren oder öffnen Sie ein Stück, um sein Notenbild zu sehen, oder schreiben Sie Noten ({key[rewriting.draw]}).</translation>
</message>
<message>
<source>A piece is being generated</source>
<translation>Ein Stück wird komponiert</translation>
</message>
<message>
<source>Its score appears with the first bar.</source>
<translation>Sein Notenbild erscheint mit dem ersten Takt.</translation>
</message>
<message>
<source>Engraving …</source>
<translation>Noten werden gesetzt …</translation>
</message>
<message>
<source>The score appears in a moment.</source>
<translation>Das Notenbild erscheint gleich.</translation>
</message>
<message>
<source>No score</source>
<translation>Kein Notenbild</translation>
</message>
<message>
<source>Engraving the score: {share:.0%}</source>
<translation>Das Notenbild wird gesetzt: {share:.0%}</translation>
</message>
<message>
<source>Score engraved</source>
<translation>Notenbild fertig</translation>
</message>
<message>
<source>Export the piece</source>
<translation>Stück exportieren</translation>
</message>
<message>
<source>the piece cannot be dragged: {reason}</source>
<translation>das Stück lässt sich nicht ziehen: {reason}</translation>
</message>
<message>
<source>Export as MIDI, score, audio or image ({key[file.export]})</source>
<translation>Als MIDI, Noten, Audio oder Bild exportieren ({key[file.export]})</translation>
</message>
<message>
<source>There is nothing to drag yet: generate or open a piece</source>
<translation>Es gibt noch nichts zu ziehen: Komponieren oder öffnen Sie ein Stück</translation>
</message>
<message>
<source>Opening {name}</source>
<translation>Öffnen von {name}</translation>
</message>
<message>
<source>Exporting {name}</source>
<translation>Exportieren von {name}</translation>
</message>
<message>
<source>Copied {name}: paste it into a folder or a program</source>
<translation>{name} kopiert: Fügen Sie es in einen Ordner oder ein Programm ein</translation>
</message>
<message>
<source>{doing} failed</source>
<translation>{doing} fehlgeschlagen</translation>
</message>
<message>
<source>{doing} was cancelled</source>
<translation>{doing} abgebrochen</translation>
</message>
<message>
<source>{doing} is not finished yet: try again in a moment</source>
<translation>{doing} ist noch nicht fertig: Versuchen Sie es gleich noch einmal</translation>
</message>
<message>
<source>No model is installed: import one with Compose &gt; Models…</source>
<translation>Kein Modell ist installiert: Importieren Sie eines mit Komponieren &gt; Modelle …</translation>
</message>
<message>
<source>Choose a model under Advanced: only models of test runs are installed</source>
<translation>Wählen Sie unter „Erweitert“ ein Modell: Nur Modelle aus Probeläufen sind installiert</translation>
</message>
<message>
<source>a model cannot be used: {reason}</source>
<translation>ein Modell lässt sich nicht verwenden: {reason}</translation>
</message>
<message>
<source>Loading {name} …</source>
<translation>{name} wird geladen …</translation>
</message>
<message>
<source>Preparing musicrel for this computer, once: {percent:.0f} %</source>
<translation>musicrel wird einmalig für diesen Computer vorbereitet: {percent:.0f} %</translation>
</message>
<message>
<source>Ready</source>
<translation>Bereit</translation>
</message>
<message>
<source>The form asks for a loop of {bars} bars, from the tonic to the dominant: press Generate</source>
<translation>Das Formular verlangt eine Schleife von {bars} Takten, von der Tonika zur Dominante: Klicken Sie auf „Komponieren“</translation>
</message>
<message>
<source>Ready; {warning}</source>
<translation>Bereit; {warning}</translation>
</message>
<message>
<source>Write a new hymn to words, or set them under a bundled tune ({key[rewriting.hymn]})</source>
<translation>Zu einem Text ein neues Kirchenlied schreiben oder ihn einer mitgelieferten Melodie unterlegen ({key[rewriting.hymn]})</translation>
</message>
<message>
<source>Locked notes are not rewritten</source>
<translation>Gesperrte Noten werden nicht neu geschrieben</translation>
</message>
<message>
<source>Lock the selection ({key[rewriting.lock]}). {tip}.

{lookahead}</source>
<translation>Die Auswahl sperren ({key[rewriting.lock]}). {tip}.

{lookahead}</translation>
</message>
<message>
<source>Unlock the selection ({key[rewriting.lock]}). {tip}.

{lookahead}</source>
<translation>Die Auswahl entsperren ({key[rewriting.lock]}). {tip}.

{lookahead}</translation>
</message>
<message>
<source>Play after the count-in</source>
<translation>Spielen Sie nach dem Einzähler</translation>
</message>
<message>
<source>Notes appear here as you play.</source>
<translation>Die Noten erscheinen hier, während Sie spielen.</translation>
</message>
<message>
<source>Bar {bar} · {beat}</source>
<translation>Takt {bar} · {beat}</translation>
</message>
<message>
<source>Count-in {beat}</source>
<translation>Einzähler {beat}</translation>
</message>
<message>
<source>the recording was changed:{report}</source>
<translation>die Aufnahme wurde geändert:{report}</translation>
</message>
<message>
<source>the MIDI port {name} was disconnected; the notes played so far are kept</source>
<translation>der MIDI-Port {name} wurde getrennt; die bisher gespielten Noten bleiben</translation>
</message>
<message>
<source>the MIDI port {name} was disconnected; no notes were recorded</source>
<translation>der MIDI-Port {name} wurde getrennt; es wurden keine Noten aufgenommen</translation>
</message>
<message>
<source>No notes recorded</source>
<translation>Keine Noten aufgenommen</translation>
</message>
<message>
<source>Recording discarded</source>
<translation>Aufnahme verworfen</translation>
</message>
<message>
<source>Melody recorded: harmonise it ({key[rewriting.harmonise]})</source>
<translation>Melodie aufgenommen: Harmonisieren Sie sie ({key[rewriting.harmonise]})</translation>
</message>
<message>
<source>Chords recorded in four voices</source>
<translation>Akkorde in vier Stimmen aufgenommen</translation>
</message>
<message>
<source>SoundFonts (*.sf2 *.sf3)</source>
<translation>SoundFonts (*.sf2 *.sf3)</translation>
</message>
<message>
<source>Choose a SoundFont</source>
<translation>SoundFont wählen</translation>
</message>
<message>
<source>None (built-in &amp;sound)</source>
<translation>Keiner (eingebauter &amp;Klang)</translation>
</message>
<message>
<source>Pause; the playhead stays where it is</source>
<translation>Pause; die Abspielmarke bleibt, wo sie ist</translation>
</message>
<message>
<source>Playback loops these bars; drag over the notes to select them</source>
<translation>Die Wiedergabe wiederholt diese Takte; über die Noten ziehen wählt sie aus</translation>
</message>
<message>
<source>&amp;Pause</source>
<translation>&amp;Pause</translation>
</message>
<message>
<source>{name} is open already</source>
<translation>{name} ist schon geöffnet</translation>
</message>
<message>
<source>a document cannot be restored: {reason}</source>
<translation>ein Dokument lässt sich nicht wiederherstellen: {reason}</translation>
</message>
<message>
<source>the last edits are not in the file: {reason}</source>
<translation>die letzten Änderungen sind nicht in der Datei: {reason}</translation>
</message>
<message>
<source>{name} (read-only)</source>
<translation>{name} (schreibgeschützt)</translation>
</message>
<message>
<source>Save the changes to “{name}”?</source>
<translation>Änderungen an „{name}“ speichern?</translation>
</message>
<message>
<source>&amp;Don't Save</source>
<translation>&amp;Nicht speichern</translation>
</message>
<message>
<source>A piece is being written. Stop it and close the window?</source>
<translation>Ein Stück wird gerade geschrieben. Anhalten und das Fenster schließen?</translation>
</message>
<message>
<source>&amp;Stop and close</source>
<translation>&amp;Anhalten und schließen</translation>
</message>
<message>
<source>“{name}” could not be closed properly: {reason}</source>
<translation>„{name}“ ließ sich nicht ordentlich schließen: {reason}</translation>
</message>
<message>
<source>{name} was opened read-only: choose another name</source>
<translation>{name} wurde schreibgeschützt geöffnet: Wählen Sie einen anderen Namen</translation>
</message>
<message>
<source>a project is not called {name}: choose a name with .musicrel, or use Export</source>
<translation>ein Projekt heißt nicht {name}: Wählen Sie einen Namen mit .musicrel oder exportieren Sie das Stück</translation>
</message>
<message>
<source>the project is not saved: {reason}</source>
<translation>das Projekt ist nicht gespeichert: {reason}</translation>
</message>
<message>
<source>Saved {name} in {folder}</source>
<translation>{name} in {folder} gespeichert</translation>
</message>
<message>
<source>Opened {name}</source>
<translation>{name} geöffnet</translation>
</message>
<message>
<source>“{name}” was recovered with all edits after musicrel ended unexpectedly</source>
<translation>„{name}“ wurde nach einem unerwarteten Ende von musicrel mit allen Änderungen wiederhergestellt</translation>
</message>
<message>
<source>Save the project</source>
<translation>Projekt speichern</translation>
</message>
<message>
<source>changed on opening {name}:{report}</source>
<translation>beim Öffnen von {name} geändert:{report}</translation>
</message>
<message>
<source>If you do not save, all changes since the last save are lost.</source>
<translation>Wenn Sie nicht speichern, gehen alle Änderungen seit dem letzten Speichern verloren.</translation>
</message>
<message>
<source>The piece being written is stopped.</source>
<translation>Das Stück, das gerade geschrieben wird, wird angehalten.</translation>
</message>
<message>
<source>&amp;Continue</source>
<translation>&amp;Weiterschreiben</translation>
</message>
<message>
<source>Mark rule violations at the notes ({key[rewriting.marks]})</source>
<translation>Regelverstöße an den Noten markieren ({key[rewriting.marks]})</translation>
</message>
<message>
<source>Click for a list of the violations ({key[rules.list]})</source>
<translation>Ein Klick zeigt die Liste der Verstöße ({key[rules.list]})</translation>
</message>
<message>
<source>Rule violations</source>
<translation>Regelverstöße</translation>
</message>
<message>
<source>Close the list ({key[rules.list]})</source>
<translation>Liste schließen ({key[rules.list]})</translation>
</message>
<message>
<source>Write candidates without this</source>
<translation>Ohne diesen Verstoß neu schreiben</translation>
</message>
<message>
<source>Select a violation to see its notes, the rule and its source ({key[rules.next]}).</source>
<translation>Wählen Sie einen Verstoß aus, um seine Noten, die Regel und ihre Quelle zu sehen ({key[rules.next]}).</translation>
</message>
<message>
<source>No model is installed: install one to write candidates</source>
<translation>Kein Modell ist installiert: Installieren Sie eines, um Vorschläge zu schreiben</translation>
</message>
<message>
<source>Select a note with a rule violation first, or the next one ({key[rules.next]})</source>
<translation>Wählen Sie zuerst eine Note mit einem Regelverstoß aus oder den nächsten Verstoß ({key[rules.next]})</translation>
</message>
<message>
<source>Checking the rules…</source>
<translation>Regeln werden geprüft …</translation>
</message>
<message>
<source>Violation {number} of {count}: {mark.title}, {mark.who}, {mark.where}</source>
<translation>Verstoß {number} von {count}: {mark.title}, {mark.who}, {mark.where}</translation>
</message>
<message>
<source>New chorale</source>
<translation>Neuer Choral</translation>
</message>
<message>
<source>There is no take yet: generate or open a piece</source>
<translation>Es gibt noch keine Fassung: Komponieren oder öffnen Sie ein Stück</translation>
</message>
<message>
<source>No take is selected: select one in the strip of takes ({key[takes.show]})</source>
<translation>Keine Fassung ist ausgewählt: Wählen Sie eine in der Leiste der Fassungen aus ({key[takes.show]})</translation>
</message>
<message>
<source>Several takes are selected: select one of them</source>
<translation>Mehrere Fassungen sind ausgewählt: Wählen Sie eine davon aus</translation>
</message>
<message>
<source>The current piece is shown again</source>
<translation>Das aktuelle Stück ist wieder zu sehen</translation>
</message>
<message>
<source>No take is being played</source>
<translation>Keine Fassung wird abgespielt</translation>
</message>
<message>
<source>This take is a new piece: it was not made by changing another one</source>
<translation>Diese Fassung ist ein neues Stück: Sie entstand nicht durch Ändern eines anderen</translation>
</message>
<message>
<source>This take has the same notes as the piece it was made from</source>
<translation>Diese Fassung hat dieselben Noten wie das Stück, aus dem sie entstand</translation>
</message>
<message>
<source>This is the current piece</source>
<translation>Das ist das aktuelle Stück</translation>
</message>
<message>
<source>{name}: this take is the current piece</source>
<translation>{name}: Diese Fassung ist das aktuelle Stück</translation>
</message>
<message>
<source>Playing “{name}”: end it ({key[takes.end]})</source>
<translation>„{name}“ wird abgespielt: beenden ({key[takes.end]})</translation>
</message>
<message>
<source>Playing the change of “{name}”: end it ({key[takes.end]})</source>
<translation>Die Änderung von „{name}“ wird abgespielt: beenden ({key[takes.end]})</translation>
</message>
<message>
<source>{count} deleted: Undo restores what was deleted</source>
<translation>{count} gelöscht: „Rückgängig“ stellt das Gelöschte wieder her</translation>
</message>
<message>
<source>{takes} selected</source>
<translation>{takes} ausgewählt</translation>
</message>
<message>
<source>The current take cannot be deleted: use another one first</source>
<translation>Die aktuelle Fassung lässt sich nicht löschen: Verwenden Sie zuerst eine andere</translation>
</message>
<message>
<source>There is no piece yet: accept a candidate or close them first</source>
<translation>Es gibt noch kein Stück: Übernehmen Sie zuerst einen Vorschlag oder schließen Sie sie</translation>
</message>
<message>
<source>{title} was made with {settings}, not in the form: its seed gives other notes</source>
<translation>{title} entstand mit Angaben, die im Formular fehlen ({settings}): Der Startwert ergibt andere Noten</translation>
</message>
<message>
<source>{title} was made with {differences}: its seed may give other notes here</source>
<translation>{title} entstand unter anderen Bedingungen ({differences}): Der Startwert kann hier andere Noten ergeben</translation>
</message>
<message>
<source>a new piece</source>
<translation>ein neues Stück</translation>
</message>
<message>
<source>a hymn</source>
<translation>ein Kirchenlied</translation>
</message>
<message>
<source>the whole piece</source>
<translation>das ganze Stück</translation>
</message>
<message>
<source>{bars} more bars</source>
<translation>{bars} weitere Takte</translation>
</message>
<message>
<source>{who}, {where}, without “{rule}”</source>
<translation>{who}, {where}, ohne „{rule}“</translation>
</message>
<message>
<source>harmony for “{title}”</source>
<translation>Harmonien zu „{title}“</translation>
</message>
<message>
<source>No candidate was generated</source>
<translation>Es entstand kein Vorschlag</translation>
</message>
<message>
<source>The piece is ready</source>
<translation>Das Stück ist fertig</translation>
</message>
<message>
<source>The candidates are ready</source>
<translation>Die Vorschläge sind fertig</translation>
</message>
<message>
<source>No candidate was completed: the longest unfinished one is kept</source>
<translation>Kein Vorschlag wurde fertig: Der längste unfertige bleibt</translation>
</message>
<message>
<source>Generating {candidates} of {what}</source>
<translation>In Arbeit: {candidates} für {what}</translation>
</message>
<message>
<source>Generating {what}</source>
<translation>In Arbeit: {what}</translation>
</message>
<message>
<source>{candidates} of {what}</source>
<translation>{candidates} für {what}</translation>
</message>
<message>
<source>{}, generated in {:.1f} s</source>
<translation>{}, komponiert in {:.1f} s</translation>
</message>
<message>
<source>Generated in {:.1f} s</source>
<translation>Komponiert in {:.1f} s</translation>
</message>
<message>
<source>Rewritten in {:.1f} s</source>
<translation>Neu geschrieben in {:.1f} s</translation>
</message>
<message>
<source>Continued in {:.1f} s</source>
<translation>Fortgesetzt in {:.1f} s</translation>
</message>
<message>
<source>Varied in {:.1f} s</source>
<translation>Variiert in {:.1f} s</translation>
</message>
<message>
<source>Harmonised in {:.1f} s</source>
<translation>Harmonisiert in {:.1f} s</translation>
</message>
<message>
<source>{:,} different candidates</source>
<translation>{:,} verschiedene Vorschläge</translation>
</message>
<message>
<source>Restored {title}</source>
<translation>{title} wiederhergestellt</translation>
</message>
<message>
<source>Accepted candidate {number}: {what}</source>
<translation>Vorschlag {number} übernommen: {what}</translation>
</message>
<message>
<source>Candidate {number}: accept it ({key[rewriting.accept]}) or go back to {before} ({key[rewriting.back]})</source>
<translation>Vorschlag {number}: übernehmen ({key[rewriting.accept]}) oder {before} wieder zeigen ({key[rewriting.back]})</translation>
</message>
<message>
<source>Candidate 1 of {count} is finished: select it to play it meanwhile</source>
<translation>Vorschlag 1 von {count} ist fertig: Wählen Sie ihn aus, um ihn inzwischen abzuspielen</translation>
</message>
<message>
<source>candidate 1 of {}</source>
<translation>Vorschlag 1 von {}</translation>
</message>
<message>
<source>Writing and revising {}: {:.0%}</source>
<translation>Schreiben und Überarbeiten: {}, {:.0%}</translation>
</message>
<message>
<source>The candidates are kept as takes ({key[takes.show]})</source>
<translation>Die Vorschläge bleiben als Fassungen ({key[takes.show]})</translation>
</message>
<message>
<source>Select one with the arrow keys to show and play it; Return accepts it.</source>
<translation>Die Pfeiltasten wählen einen aus, zum Ansehen und Abspielen; Return übernimmt ihn.</translation>
</message>
<message>
<source>Its notes are shown here as they are written.</source>
<translation>Seine Noten erscheinen hier, während sie geschrieben werden.</translation>
</message>
<message>
<source>It is shown here when it is finished.</source>
<translation>Es erscheint hier, wenn es fertig ist.</translation>
</message>
<message>
<source>The best one is shown here when all are finished.</source>
<translation>Der beste erscheint hier, wenn alle fertig sind.</translation>
</message>
<message>
<source>At draft quality and at temperature 0 this model does not look ahead to the notes kept after the passage.</source>
<translation>In Entwurfsqualität und bei Temperatur 0 blickt dieses Modell nicht voraus auf die Noten, die nach der Stelle stehen bleiben.</translation>
</message>
<message>
<source>1: all heads. 2: {muted} muted. The same seed. Arrow keys switch, and play again at the end.</source>
<translation>1: alle Köpfe. 2: {muted} stumm. Derselbe Startwert. Die Pfeiltasten wechseln und spielen am Ende noch einmal ab.</translation>
</message>
<message>
<source>; at draft quality or temperature 0, cadences are chosen only among several candidates</source>
<translation>; in Entwurfsqualität oder bei Temperatur 0 werden Kadenzen nur unter mehreren Vorschlägen ausgewählt</translation>
</message>
<message>
<source>Reading the training pieces for the means of muted heads: {share:.0%}</source>
<translation>Mittelwerte stummer Köpfe aus den Trainingsstücken: {share:.0%}</translation>
</message>
<message>
<source>Generating bar {bar} of {bars}</source>
<translation>In Arbeit: Takt {bar} von {bars}</translation>
</message>
<message>
<source>Searching among versions of a phrase</source>
<translation>Suche unter Versionen einer Phrase</translation>
</message>
<message>
<source>Searching: {:.0f} of {} continuations fit</source>
<translation>Suche: {:.0f} von {} Fortsetzungen passen</translation>
</message>
<message>
<source>Generated in {:.1f} s{}</source>
<translation>Komponiert in {:.1f} s{}</translation>
</message>
<message>
<source>Generation failed</source>
<translation>Komponieren fehlgeschlagen</translation>
</message>
<message>
<source>Stopped in bar {bar} of {bars}</source>
<translation>Angehalten in Takt {bar} von {bars}</translation>
</message>
<message>
<source>Reading {name} …</source>
<translation>{name} wird gelesen …</translation>
</message>
<message>
<source>A melody is being read: try again in a moment</source>
<translation>Gerade wird eine Melodie gelesen: Versuchen Sie es gleich noch einmal</translation>
</message>
<message>
<source>the melody of {name} was changed:{report}</source>
<translation>die Melodie aus {name} wurde geändert:{report}</translation>
</message>
<message>
<source>Melody of {title}</source>
<translation>Melodie von {title}</translation>
</message>
<message>
<source>Reading the melody failed</source>
<translation>Lesen der Melodie fehlgeschlagen</translation>
</message>
<message>
<source>the melody</source>
<translation>die Melodie</translation>
</message>
<message>
<source>Add three voices to a bundled melody, a file or the roll ({key[rewriting.harmonise]})</source>
<translation>Zu einer mitgelieferten Melodie, einer Datei oder der Pianorolle drei Stimmen schreiben ({key[rewriting.harmonise]})</translation>
</message>
<message>
<source>{}, no. {}</source>
<translation>{}, Nr. {}</translation>
</message>
<message>
<source>Untitled</source>
<translation>Ohne Titel</translation>
</message>
<message>
<source>There is no piece yet: generate or open one, or write notes ({key[rewriting.draw]})</source>
<translation>Es gibt noch kein Stück: Komponieren oder öffnen Sie eines oder schreiben Sie Noten ({key[rewriting.draw]})</translation>
</message>
<message>
<source>A piece is being generated: wait until it is finished, or stop it</source>
<translation>Ein Stück wird komponiert: Warten Sie, bis es fertig ist, oder halten Sie es an</translation>
</message>
<message>
<source>A candidate is shown: accept it ({key[rewriting.accept]}) or go back ({key[rewriting.back]}) first</source>
<translation>Ein Vorschlag ist zu sehen: Übernehmen Sie ihn zuerst ({key[rewriting.accept]}) oder gehen Sie zurück ({key[rewriting.back]})</translation>
</message>
<message>
<source>Copied {notes}</source>
<translation>{notes} kopiert</translation>
</message>
<message>
<source>Cut {notes}</source>
<translation>{notes} ausgeschnitten</translation>
</message>
<message>
<source>No note is selected</source>
<translation>Keine Note ist ausgewählt</translation>
</message>
<message>
<source>These notes are here already: select another place to paste, or repeat them ({key[edit.duplicate]})</source>
<translation>Diese Noten stehen schon hier: Wählen Sie eine andere Stelle zum Einfügen aus oder wiederholen Sie sie ({key[edit.duplicate]})</translation>
</message>
<message>
<source>There are no verses to write out: the piece has words in one verse at a time</source>
<translation>Es gibt keine Strophen auszuschreiben: Das Stück hat an jeder Stelle nur eine</translation>
</message>
<message>
<source>Nothing to change: no note is selected</source>
<translation>Nichts zu ändern: Keine Note ist ausgewählt</translation>
</message>
<message>
<source>There is nothing to undo</source>
<translation>Es gibt nichts rückgängig zu machen</translation>
</message>
<message>
<source>There is nothing to redo</source>
<translation>Es gibt nichts zu wiederholen</translation>
</message>
<message>
<source>Undone: {effect}</source>
<translation>Rückgängig gemacht: {effect}</translation>
</message>
<message>
<source>Redone: {effect}</source>
<translation>Wiederholt: {effect}</translation>
</message>
<message>
<source>restore {title}</source>
<translation>{title} wiederherstellen</translation>
</message>
<message>
<source>locks</source>
<translation>Sperren</translation>
</message>
<message>
<source>delete takes</source>
<translation>Fassungen löschen</translation>
</message>
<message>
<source>restore takes</source>
<translation>Fassungen wiederherstellen</translation>
</message>
<message>
<source>Locks restored</source>
<translation>Sperren wiederhergestellt</translation>
</message>
<message>
<source>Takes restored</source>
<translation>Fassungen wiederhergestellt</translation>
</message>
<message>
<source>Takes deleted</source>
<translation>Fassungen gelöscht</translation>
</message>
<message>
<source>Key, tempo and dynamic from {place}</source>
<translation>Tonart, Tempo und Dynamik ab {place}</translation>
</message>
<message>
<source>None</source>
<comment>dynamic</comment>
<translation>Keine</translation>
</message>
<message>
<source>Crescendo</source>
<translation>Crescendo</translation>
</message>
<message>
<source>Diminuendo</source>
<translation>Decrescendo</translation>
</message>
<message>
<source> % of the tempo</source>
<translation> % des Tempos</translation>
</message>
<message>
<source>The key changes at the bar line. A ritardando and a hairpin last as long as the selection; after a ritardando the tempo returns, and at 100 % there is none.</source>
<translation>Die Tonart wechselt am Taktstrich. Ritardando und Gabel dauern so lange wie die Auswahl; nach dem Ritardando gilt wieder das alte Tempo. Bei 100 % gibt es keines.</translation>
</message>
<message>
<source>From this bar to the next change of key; the notes stay as they are</source>
<translation>Von diesem Takt bis zum nächsten Tonartwechsel; die Noten bleiben, wie sie sind</translation>
</message>
<message>
<source>&amp;Tempo</source>
<translation>&amp;Tempo</translation>
</message>
<message>
<source>Quarter notes a minute, 5 to 600, from here to the next change of tempo</source>
<translation>Viertel pro Minute, 5 bis 600, von hier bis zum nächsten Tempowechsel</translation>
</message>
<message>
<source>&amp;Slows down to</source>
<translation>&amp;Verlangsamt auf</translation>
</message>
<message>
<source>What is left of the tempo at the end of the selection, 10 to 100 %</source>
<translation>Was am Ende der Auswahl vom Tempo übrig ist, 10 bis 100 %</translation>
</message>
<message>
<source>&amp;Dynamic</source>
<translation>&amp;Dynamik</translation>
</message>
<message>
<source>Of all voices, from here to the next one</source>
<translation>Aller Stimmen, von hier bis zur nächsten</translation>
</message>
<message>
<source>&amp;Hairpin</source>
<translation>&amp;Gabel</translation>
</message>
<message>
<source>Of all voices; it leads to the dynamic at its end</source>
<translation>Aller Stimmen; sie führt zur Dynamik an ihrem Ende</translation>
</message>
<message>
<source>Apply</source>
<translation>Anwenden</translation>
</message>
<message>
<source>Write a melody</source>
<translation>Schreiben Sie eine Melodie</translation>
</message>
<message>
<source>Type A to G, or click on the roll. Then harmonise it ({key[rewriting.harmonise]}).</source>
<translation>Tippen Sie A bis G oder klicken Sie in die Pianorolle. Dann harmonisieren Sie sie ({key[rewriting.harmonise]}).</translation>
</message>
<message>
<source>Note input, {voice}: A to G write notes, 3 to 7 set the duration, Esc ends</source>
<translation>Noteneingabe, {voice}: A bis G schreiben Noten, 3 bis 7 bestimmen die Dauer, Esc beendet</translation>
</message>
<message>
<source>Note input is off</source>
<translation>Noteneingabe ist aus</translation>
</message>
<message>
<source>The piece has its own: change it with Edit &gt; Piece &gt; Properties ({key[edit.properties]})</source>
<translation>Das Stück hat seine eigene Angabe: ändern mit Bearbeiten &gt; Stück &gt; Eigenschaften ({key[edit.properties]})</translation>
</message>
<message>
<source>Note input</source>
<translation>Noteneingabe</translation>
</message>
<message>
<source>A to G: notes, 3 to 7: lengths, 0: rest, T: tie, Esc: end</source>
<translation>A–G: Noten, 3–7: Länge, 0: Pause, T: Bogen, Esc: Ende</translation>
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
<translation>A bis G: eine Note (B schreibt H), 0: eine Pause; auch ein MIDI-Keyboard schreibt Noten
3 bis 7: Sechzehntel bis ganze Note, Punkt: punktiert
Hoch, Herunter: die letzte Note einen Halbton höher oder tiefer, mit Strg eine Oktave
T: Haltebogen von der letzten Note zu einer weiteren der gewählten Länge
Rücktaste: die Note vor dem Cursor entfernen
Links, Rechts, Pos1, Ende: den Cursor bewegen; Bild auf, Bild ab: andere Stimme
Klicken oder Ziehen in der Pianorolle: eine Note schreiben; noch ein Klick: sie entfernen
Esc: Noteneingabe verlassen</translation>
</message>
<message>
<source>Write the {voice} (Page Up and Page Down change the voice)</source>
<translation>{voice} schreiben (Bild auf und Bild ab wechseln die Stimme)</translation>
</message>
<message>
<source>Dotted: half as long again (full stop)</source>
<translation>Punktiert: um die Hälfte länger (Punkt)</translation>
</message>
<message>
<source>Write a rest (0)</source>
<translation>Eine Pause schreiben (0)</translation>
</message>
<message>
<source>Leave note input (Esc)</source>
<translation>Noteneingabe verlassen (Esc)</translation>
</message>
<message>
<source>Drag to move, with Ctrl to copy, with Alt off the grid, at the right end to resize; double-click deletes</source>
<translation>Ziehen verschiebt, mit Strg kopiert es, mit Alt löst es vom Raster, am rechten Ende ändert es die Länge; Doppelklick löscht</translation>
</message>
<message>
<source>Drag up or down to change the pitch, click to select</source>
<translation>Ziehen nach oben oder unten ändert die Tonhöhe, Klicken wählt aus</translation>
</message>
<message>
<source>Deleted: {note}</source>
<translation>Gelöscht: {note}</translation>
</message>
<message>
<source>Show the chords as Roman numerals, also in files and prints of the score</source>
<translation>Die Akkorde als Stufen (römische Ziffern) zeigen, auch in Dateien und Ausdrucken der Noten</translation>
</message>
<message>
<source>Roman numerals</source>
<translation>Stufen</translation>
</message>
<message>
<source>{figure} in {key}</source>
<translation>{figure} in {key}</translation>
</message>
<message>
<source>Properties of the piece</source>
<translation>Eigenschaften des Stücks</translation>
</message>
<message>
<source>Unknown</source>
<translation>Unbekannt</translation>
</message>
<message>
<source>None</source>
<comment>tune, pickup</comment>
<translation>Ohne</translation>
</message>
<message>
<source> beats</source>
<translation> Zählzeiten</translation>
</message>
<message>
<source> beat</source>
<translation> Zählzeit</translation>
</message>
<message>
<source> quarters a minute</source>
<translation> Viertel pro Minute</translation>
</message>
<message>
<source>&amp;Keep the notes</source>
<translation>Noten be&amp;halten</translation>
</message>
<message>
<source>T&amp;ranspose the notes</source>
<translation>Noten tran&amp;sponieren</translation>
</message>
<message>
<source>Only the key signature and the spelling change</source>
<translation>Nur Vorzeichnung und Schreibweise ändern sich</translation>
</message>
<message>
<source>All notes move with the key, up or down, whichever is nearer</source>
<translation>Alle Noten gehen mit der Tonart, nach oben oder unten, je nachdem, was näher liegt</translation>
</message>
<message>
<source>&amp;Title</source>
<translation>&amp;Titel</translation>
</message>
<message>
<source>Shown on scores and in exported files</source>
<translation>Steht in den Noten und in exportierten Dateien</translation>
</message>
<message>
<source>&amp;Subtitle</source>
<translation>U&amp;ntertitel</translation>
</message>
<message>
<source>Shown below the title; empty: none</source>
<translation>Steht unter dem Titel; leer: keiner</translation>
</message>
<message>
<source>&amp;Composer</source>
<translation>&amp;Komponist</translation>
</message>
<message>
<source>Shown on scores and in exported files; empty: unknown</source>
<translation>Steht in den Noten und in exportierten Dateien; leer: unbekannt</translation>
</message>
<message>
<source>&amp;Poet</source>
<translation>&amp;Dichter</translation>
</message>
<message>
<source>Who wrote the words; shown on scores and in exported files</source>
<translation>Wer den Text schrieb; steht in den Noten und in exportierten Dateien</translation>
</message>
<message>
<source>T&amp;une</source>
<translation>&amp;Melodie</translation>
</message>
<message>
<source>Name of the tune; shown on scores below the composer</source>
<translation>Name der Melodie; steht in den Noten unter dem Komponisten</translation>
</message>
<message>
<source>Copyri&amp;ght</source>
<translation>Copyri&amp;ght</translation>
</message>
<message>
<source>Shown at the foot of the first page of a score</source>
<translation>Steht am Fuß der ersten Notenseite</translation>
</message>
<message>
<source>Ke&amp;y</source>
<translation>T&amp;onart</translation>
</message>
<message>
<source>Determines the key signature and the spelling of notes</source>
<translation>Bestimmt Vorzeichnung und Schreibweise der Noten</translation>
</message>
<message>
<source>Bar lines move, notes stay where they are; 1 to 32 over 1, 2, 4, 8 or 16</source>
<translation>Die Taktstriche wandern, die Noten bleiben, wo sie sind; 1 bis 32 über 1, 2, 4, 8 oder 16</translation>
</message>
<message>
<source>Beats before the first bar line</source>
<translation>Zählzeiten vor dem ersten Taktstrich</translation>
</message>
<message>
<source>T&amp;empo</source>
<translation>T&amp;empo</translation>
</message>
<message>
<source>Quarter notes a minute, 5 to 600</source>
<translation>Viertel pro Minute, 5 bis 600</translation>
</message>
<message>
<source>Transpose the piece</source>
<translation>Stück transponieren</translation>
</message>
<message>
<source>a semitone</source>
<translation>Halbton</translation>
</message>
<message>
<source>a whole tone</source>
<translation>Ganzton</translation>
</message>
<message>
<source>a minor third</source>
<translation>Kleine Terz</translation>
</message>
<message>
<source>a major third</source>
<translation>Große Terz</translation>
</message>
<message>
<source>a fourth</source>
<translation>Quarte</translation>
</message>
<message>
<source>a tritone</source>
<translation>Tritonus</translation>
</message>
<message>
<source>a fifth</source>
<translation>Quinte</translation>
</message>
<message>
<source>a minor sixth</source>
<translation>Kleine Sexte</translation>
</message>
<message>
<source>a major sixth</source>
<translation>Große Sexte</translation>
</message>
<message>
<source>a minor seventh</source>
<translation>Kleine Septime</translation>
</message>
<message>
<source>a major seventh</source>
<translation>Große Septime</translation>
</message>
<message>
<source>an octave</source>
<translation>Oktave</translation>
</message>
<message>
<source>Up {interval}</source>
<translation>{interval} aufwärts</translation>
</message>
<message>
<source>Down {interval}</source>
<translation>{interval} abwärts</translation>
</message>
<message>
<source>&amp;Fit the voices</source>
<translation>&amp;Passende Lage</translation>
</message>
<message>
<source>Choose the interval that leaves the fewest notes outside the ranges of the voices</source>
<translation>Das Intervall wählen, bei dem die wenigsten Noten außerhalb der Stimmumfänge liegen</translation>
</message>
<message>
<source>No other interval leaves fewer notes outside the ranges of the voices</source>
<translation>Bei keinem anderen Intervall liegen weniger Noten außerhalb der Stimmumfänge</translation>
</message>
<message>
<source>All notes are within the ranges of their voices.</source>
<translation>Alle Noten liegen im Umfang ihrer Stimmen.</translation>
</message>
<message>
<source>Outside their ranges: {counts}.</source>
<translation>Außerhalb des Umfangs: {counts}.</translation>
</message>
<message>
<source>{interval}, to {key}</source>
<translation>{interval}: {key}</translation>
</message>
<message>
<source>&amp;Transpose</source>
<translation>&amp;Transponieren</translation>
</message>
<message>
<source>&amp;Interval</source>
<translation>&amp;Intervall</translation>
</message>
<message>
<source>There is no note to write words under: select one</source>
<translation>Hier ist keine Note, unter die sich Text schreiben lässt: Wählen Sie eine aus</translation>
</message>
<message>
<source>Words under the notes</source>
<translation>Text unter den Noten</translation>
</message>
<message>
<source>{voice}, verse {verse}</source>
<translation>{voice}, Strophe {verse}</translation>
</message>
<message>
<source>Space: next note, hyphen: next syllable, Return: next verse, Esc: end</source>
<translation>Leertaste: Note, Bindestrich: Silbe, Return: Strophe, Esc: Ende</translation>
</message>
<message>
<source>Space: the next note, a new word
Hyphen: the next note, the word goes on
Underscore: the next note, the word is held
Tilde: two words on one note
Return, Down: the next verse under this note; Up: the verse before
Left, Right: the note before or after
Esc: leave the words</source>
<translation>Leertaste: die nächste Note, ein neues Wort
Bindestrich: die nächste Note, das Wort geht weiter
Unterstrich: die nächste Note, das Wort wird gehalten
Tilde: zwei Wörter auf einer Note
Return, Herunter: die nächste Strophe unter dieser Note; Hoch: die vorige Strophe
Links, Rechts: die Note davor oder danach
Esc: Text verlassen</translation>
</message>
<message>
<source>Leave the words (Esc)</source>
<translation>Text verlassen (Esc)</translation>
</message>
<message>
<source>Words of the piece</source>
<translation>Text des Stücks</translation>
</message>
<message>
<source>Set the words</source>
<translation>Text unterlegen</translation>
</message>
<message>
<source>&amp;Remove words</source>
<translation>Text &amp;entfernen</translation>
</message>
<message>
<source>Remove the words of all voices and verses</source>
<translation>Den Text aller Stimmen und Strophen entfernen</translation>
</message>
<message>
<source>The piece has no words</source>
<translation>Das Stück hat keinen Text</translation>
</message>
<message>
<source>The text is set under the melody, a line for each phrase. It replaces the words that are there; corrected words keep their notes.</source>
<translation>Der Text wird der Melodie unterlegt, eine Zeile je Phrase. Er ersetzt den vorhandenen Text; verbesserte Wörter behalten ihre Noten.</translation>
</message>
<message>
<source>Select a note in the roll to see which heads, voices and other notes mattered for it.</source>
<translation>Wählen Sie eine Note in der Pianorolle: Hier steht dann, welche Köpfe, Stimmen und anderen Noten für sie wichtig waren.</translation>
</message>
<message>
<source>Blue: it helped to predict the note. Orange: it hindered. Strips: the voices it looks at. M mutes.</source>
<translation>Blau: half bei der Note. Orange: störte. Streifen: beachtete Stimmen. M schaltet stumm.</translation>
</message>
<message>
<source>Reading the training pieces to learn what each head does on average, once for this model: {share:.0%}</source>
<translation>Die Trainingsstücke werden gelesen, um zu erfahren, was jeder Kopf im Mittel tut, einmal für dieses Modell: {share:.0%}</translation>
</message>
<message>
<source>{bar} is open; Undo brings your piece back</source>
<translation>{bar} ist geöffnet; „Rückgängig“ holt Ihr Stück zurück</translation>
</message>
<message>
<source>Muted in {model}: {heads}</source>
<translation>Stumm in {model}: {heads}</translation>
</message>
<message>
<source>No head of {model} is muted</source>
<translation>Kein Kopf von {model} ist stumm</translation>
</message>
<message>
<source>A &amp;new piece, twice</source>
<translation>Ein neues &amp;Stück, zweimal</translation>
</message>
<message>
<source>From the form in Compose, with its seed</source>
<translation>Nach den Angaben unter „Komponieren“, mit deren Startwert</translation>
</message>
<message>
<source>a new piece with all heads and with {heads} muted</source>
<translation>ein neues Stück mit allen Köpfen und mit {heads} stumm</translation>
</message>
<message>
<source>the piece from bar {bar} on, with all heads and with {heads} muted</source>
<translation>das Stück ab Takt {bar} mit allen Köpfen und mit {heads} stumm</translation>
</message>
<message>
<source>This piece from &amp;bar {bar} on, twice</source>
<translation>Dieses Stück ab &amp;Takt {bar}, zweimal</translation>
</message>
<message>
<source>All notes before the bar are kept</source>
<translation>Alle Noten vor dem Takt bleiben erhalten</translation>
</message>
<message>
<source>What mattered for the chosen note: heads, voices, other notes. Mute heads here.</source>
<translation>Was für die gewählte Note wichtig war: Köpfe, Stimmen, andere Noten. Hier lassen sich Köpfe stummschalten.</translation>
</message>
<message>
<source>Removing one head after another …</source>
<translation>Ein Kopf nach dem anderen wird entfernt …</translation>
</message>
<message>
<source>Mute a head first: choose one in the grid and press M</source>
<translation>Schalten Sie zuerst einen Kopf stumm: im Raster wählen und M drücken</translation>
</message>
<message>
<source>Generate the same once with all heads and once with the muted ones silenced</source>
<translation>Dasselbe einmal mit allen Köpfen und einmal ohne die stummen komponieren</translation>
</message>
<message>
<source>This piece from the bar of the chosen &amp;note on, twice</source>
<translation>Dieses Stück ab dem Takt der gewählten &amp;Note, zweimal</translation>
</message>
<message>
<source>Select a note after the first bar: the notes before its bar are kept</source>
<translation>Wählen Sie eine Note nach dem ersten Takt: Die Noten vor ihrem Takt bleiben erhalten</translation>
</message>
<message>
<source>Effects</source>
<translation>Wirkungen</translation>
</message>
<message>
<source>Output of a removed or muted head: its mean over the training pieces, or zero. The mean keeps what the head contributes to every note; zero removes that as well.</source>
<translation>Was ein entfernter oder stummer Kopf ausgibt: sein Mittel über die Trainingsstücke oder null. Mit dem Mittel bleibt, was er zu jeder Note beiträgt; mit null fällt auch das weg.</translation>
</message>
<message>
<source>What each head and voice did</source>
<translation>Was jeder Kopf und jede Stimme bewirkte</translation>
</message>
<message>
<source>Effects on the whole piece</source>
<translation>Wirkungen auf das ganze Stück</translation>
</message>
<message>
<source>Most probable notes</source>
<translation>Wahrscheinlichste Noten</translation>
</message>
<message>
<source>Show the effects in {model}, and mute its heads</source>
<translation>Die Wirkungen in {model} zeigen und Köpfe dieses Modells stummschalten</translation>
</message>
<message>
<source>Effects in {letter}, {model}</source>
<translation>Wirkungen in {letter}, {model}</translation>
</message>
<message>
<source>Removing one note after another …</source>
<translation>Eine Note nach der anderen wird entfernt …</translation>
</message>
<message>
<source>Muted: {heads}</source>
<translation>Stumm: {heads}</translation>
</message>
<message>
<source>Listen to the &amp;difference</source>
<translation>Un&amp;terschied hören</translation>
</message>
<message>
<source>Save a view as a picture (PNG, SVG) or its numbers (CSV)</source>
<translation>Eine Ansicht als Bild (PNG, SVG) oder ihre Zahlen (CSV) speichern</translation>
</message>
<message>
<source>Replace &amp;by</source>
<translation>Ersetzen d&amp;urch</translation>
</message>
<message>
<source>Effect of each head on the chosen note. {keys} Right-click for more.</source>
<translation>Wirkung jedes Kopfes auf die gewählte Note. {keys} Weiteres per Rechtsklick.</translation>
</message>
<message>
<source>Why this note, in one sentence: its chord, how probable it was, and the voice that did most for it</source>
<translation>Warum diese Note, in einem Satz: ihr Akkord, wie wahrscheinlich sie war und welche Stimme am meisten für sie sprach</translation>
</message>
<message>
<source>Muted heads are muted for this note here, and for all notes in Generate, Rewrite, Continue and Harmonise</source>
<translation>Stumme Köpfe sind hier für diese Note stumm, beim Komponieren, Neuschreiben, Fortsetzen und Harmonisieren für alle Noten</translation>
</message>
<message>
<source>&amp;Effects of heads…</source>
<translation>&amp;Wirkungen der Köpfe …</translation>
</message>
<message>
<source>&amp;Most probable notes…</source>
<translation>Wahr&amp;scheinlichste Noten …</translation>
</message>
<message>
<source>&amp;Sources…</source>
<translation>&amp;Quellen …</translation>
</message>
<message>
<source>V&amp;otes…</source>
<translation>&amp;Beiträge …</translation>
</message>
<message>
<source>&amp;Layers…</source>
<translation>S&amp;chichten …</translation>
</message>
<message>
<source>&amp;Whole piece…</source>
<translation>&amp;Ganzes Stück …</translation>
</message>
<message>
<source>Strongest &amp;bars…</source>
<translation>Stärkste &amp;Takte …</translation>
</message>
<message>
<source>Not known yet: open the votes, find the sources, measure the piece or search the chorales first</source>
<translation>Noch nicht bekannt: Öffnen Sie zuerst die Beiträge, suchen Sie die Quellen, messen Sie das Stück oder durchsuchen Sie die Choräle</translation>
</message>
<message>
<source>See which other notes the model looks at, and which of them matter.</source>
<translation>Auf welche anderen Noten achtet das Modell, und welche davon sind wichtig?</translation>
</message>
<message>
<source>Find the sources</source>
<translation>Quellen suchen</translation>
</message>
<message>
<source>Remove 64 notes with the largest weights and 64 random ones, one at a time</source>
<translation>Die 64 Noten mit den größten Gewichten und 64 zufällige einzeln entfernen</translation>
</message>
<message>
<source>How much worse is the prediction of the whole piece without each head?</source>
<translation>Wie viel schlechter ist die Vorhersage des ganzen Stücks, wenn ein Kopf fehlt?</translation>
</message>
<message>
<source>&amp;Measure all heads</source>
<translation>Alle Köpfe &amp;messen</translation>
</message>
<message>
<source>Replace each head at all notes of the piece; this takes a while</source>
<translation>Jeden Kopf an allen Noten des Stücks ersetzen; das dauert eine Weile</translation>
</message>
<message>
<source>In which bars of Bach's chorales does the chosen head do most for the notes?</source>
<translation>In welchen Takten der Bach-Choräle trägt der gewählte Kopf am meisten zu den Noten bei?</translation>
</message>
<message>
<source>Search the chora&amp;les</source>
<translation>Choräle durch&amp;suchen</translation>
</message>
<message>
<source>Read the 75 chorales that the models were not trained on; this takes a minute</source>
<translation>Die 75 Choräle lesen, an denen die Modelle nicht trainiert wurden; das dauert eine Minute</translation>
</message>
<message>
<source>Strongest bars</source>
<translation>Stärkste Takte</translation>
</message>
<message>
<source>Choose a head in the grid on the left to see its strongest bars.</source>
<translation>Wählen Sie links im Raster einen Kopf, um seine stärksten Takte zu sehen.</translation>
</message>
<message>
<source>Adding up what each head gave to each note …</source>
<translation>Was jeder Kopf zu jeder Note beitrug, wird zusammengezählt …</translation>
</message>
<message>
<source>&amp;Sources</source>
<translation>&amp;Quellen</translation>
</message>
<message>
<source>Other notes: how much the model looks at them, and what they do</source>
<translation>Andere Noten: wie sehr das Modell auf sie achtet und was sie bewirken</translation>
</message>
<message>
<source>V&amp;otes</source>
<translation>Be&amp;iträge</translation>
</message>
<message>
<source>Which head raised or lowered which note (direct logit attribution)</source>
<translation>Welcher Kopf welche Note hob oder senkte (direct logit attribution)</translation>
</message>
<message>
<source>La&amp;yers</source>
<translation>Schi&amp;chten</translation>
</message>
<message>
<source>What each layer would choose if it were the last (logit lens)</source>
<translation>Was jede Schicht wählen würde, wäre sie die letzte (logit lens)</translation>
</message>
<message>
<source>Whole piece</source>
<translation>Ganzes Stück</translation>
</message>
<message>
<source>Effect of each head on all notes of the piece</source>
<translation>Wirkung jedes Kopfes auf alle Noten des Stücks</translation>
</message>
<message>
<source>Bars</source>
<translation>Takte</translation>
</message>
<message>
<source>The twenty bars of Bach's chorales for which the chosen head did most</source>
<translation>Die zwanzig Takte der Bach-Choräle, zu denen der gewählte Kopf am meisten beitrug</translation>
</message>
<message>
<source>Layers</source>
<translation>Schichten</translation>
</message>
<message>
<source>Sources</source>
<translation>Quellen</translation>
</message>
<message>
<source>Votes</source>
<translation>Beiträge</translation>
</message>
<message>
<source>Zero</source>
<translation>Null</translation>
</message>
<message>
<source>Bold: mean, with its 95 % confidence interval. Thin: seeds.</source>
<translation>Fett: Mittelwert mit 95-%-Konfidenzintervall. Dünn: einzelne Startwerte.</translation>
</message>
<message>
<source>Log &amp;x</source>
<translation>Log &amp;x</translation>
</message>
<message>
<source>Log &amp;y</source>
<translation>Log &amp;y</translation>
</message>
<message>
<source>Learning curves</source>
<translation>Lernkurven</translation>
</message>
<message>
<source>Export curves</source>
<translation>Kurven exportieren</translation>
</message>
<message>
<source>by steps</source>
<translation>nach Schritten</translation>
</message>
<message>
<source>by tokens</source>
<translation>nach Token</translation>
</message>
<message>
<source>by time</source>
<translation>nach Zeit</translation>
</message>
<message>
<source>Validation</source>
<translation>Validierung</translation>
</message>
<message>
<source>Both</source>
<translation>Beide</translation>
</message>
<message>
<source>Bold: mean, 95 % CI. Thin: seeds.</source>
<translation>Fett: Mittel, 95-%-KI. Dünn: Startwerte.</translation>
</message>
<message>
<source>Show everything again (0). Drag or arrow keys move, wheel or + and − zoom</source>
<translation>Wieder alles zeigen (0). Ziehen oder Pfeiltasten verschieben, Mausrad oder + und − zoomen</translation>
</message>
<message>
<source>Horizontal axis</source>
<translation>Waagerechte Achse</translation>
</message>
<message>
<source>Split on which the losses were measured</source>
<translation>Datenteil, auf dem die Verluste gemessen wurden</translation>
</message>
<message>
<source>Logarithmic horizontal axis</source>
<translation>Waagerechte Achse logarithmisch</translation>
</message>
<message>
<source>Logarithmic scale for losses</source>
<translation>Verluste logarithmisch</translation>
</message>
<message>
<source>Save the curves as a picture, or their points as CSV</source>
<translation>Die Kurven als Bild oder ihre Punkte als CSV speichern</translation>
</message>
<message>
<source>Split</source>
<translation>Datenteil</translation>
</message>
<message>
<source>All studies are archived.</source>
<translation>Alle Studien sind archiviert.</translation>
</message>
<message>
<source>Show archived</source>
<translation>Archivierte zeigen</translation>
</message>
<message>
<source>&amp;New study…</source>
<translation>&amp;Neue Studie …</translation>
</message>
<message>
<source>Teach it m&amp;y pieces…</source>
<translation>Stücke be&amp;ibringen …</translation>
</message>
<message>
<source>Open a study folder…</source>
<translation>Studie öffnen …</translation>
</message>
<message>
<source>Choose, edit and start a study</source>
<translation>Eine Studie wählen, bearbeiten und starten</translation>
</message>
<message>
<source>Let a model learn from a folder of your pieces and write in their style</source>
<translation>Ein Modell aus einem Ordner mit Ihren Stücken lernen und in deren Stil schreiben lassen</translation>
</message>
<message>
<source>Open a study in another folder</source>
<translation>Eine Studie in einem anderen Ordner öffnen</translation>
</message>
<message>
<source>List archived studies as well</source>
<translation>Auch archivierte Studien auflisten</translation>
</message>
<message>
<source>No studies yet. Studies you start appear here; to see one that was started on the command line, open its folder.</source>
<translation>Noch keine Studien. Hier erscheint jede Studie, die Sie starten; wurde eine über die Befehlszeile gestartet, öffnen Sie ihren Ordner.</translation>
</message>
<message>
<source>Studies</source>
<translation>Studien</translation>
</message>
<message>
<source>Studies are in the full package</source>
<translation>Studien gibt es im vollständigen Paket</translation>
</message>
<message>
<source>Runs side by side</source>
<translation>Gleichzeitige Läufe</translation>
</message>
<message>
<source>Runs side by side slow each other down; losses stay the same</source>
<translation>Gleichzeitige Läufe bremsen einander; die Verluste bleiben gleich</translation>
</message>
<message>
<source>Address of the cluster</source>
<translation>Adresse des Clusters</translation>
</message>
<message>
<source>auto, or HOST:PORT</source>
<translation>auto oder HOST:PORT</translation>
</message>
<message>
<source>HOST:PORT of its head node; auto: the cluster that this computer belongs to</source>
<translation>HOST:PORT des Kopfknotens; auto: der Cluster, zu dem dieser Computer gehört</translation>
</message>
<message>
<source>Fetch files</source>
<translation>Dateien holen</translation>
</message>
<message>
<source>For machines that do not share the folder of the study</source>
<translation>Für Computer, die keinen Zugriff auf den Ordner der Studie haben</translation>
</message>
<message>
<source>Nodes of the cluster</source>
<translation>Knoten des Clusters</translation>
</message>
<message>
<source>This computer</source>
<translation>Dieser Computer</translation>
</message>
<message>
<source>A Ray cluster</source>
<translation>Ein Ray-Cluster</translation>
</message>
<message>
<source>{} runs side by side</source>
<translation>{} Läufe gleichzeitig</translation>
</message>
<message>
<source>one run at a time</source>
<translation>ein Lauf nach dem anderen</translation>
</message>
<message>
<source>as many as there is room for</source>
<translation>so viele, wie Platz haben</translation>
</message>
<message>
<source>Where the runs are trained</source>
<translation>Wo die Läufe trainiert werden</translation>
</message>
<message>
<source>Samples were not enabled for this study.</source>
<translation>Für diese Studie wurden keine Hörproben verlangt.</translation>
</message>
<message>
<source>Seed of the samples</source>
<translation>Startwert der Hörproben</translation>
</message>
<message>
<source>Training step of the samples</source>
<translation>Trainingsschritt der Hörproben</translation>
</message>
<message>
<source>Seed {seed}</source>
<translation>Startwert {seed}</translation>
</message>
<message>
<source>Step {step:,}</source>
<translation>Schritt {step:,}</translation>
</message>
<message>
<source>Open in Compose</source>
<translation>Zum Komponieren</translation>
</message>
<message>
<source>step {step:,}  ·  {loss:.2f} nats/note</source>
<translation>Schritt {step:,}  ·  {loss:.2f} Nat/Note</translation>
</message>
<message>
<source>{arm} · seed {seed} · step {step:,}</source>
<translation>{arm} · Startwert {seed} · Schritt {step:,}</translation>
</message>
<message>
<source>Play {title}</source>
<translation>{title} abspielen</translation>
</message>
<message>
<source>Open {title}</source>
<translation>{title} öffnen</translation>
</message>
<message>
<source>Surprisal of the sample under the model that generated it</source>
<translation>Überraschung der Hörprobe für das Modell, das sie geschrieben hat</translation>
</message>
<message>
<source>Each evaluation generates one sample per arm.</source>
<translation>Bei jeder Auswertung schreibt jede Variante eine Hörprobe.</translation>
</message>
<message>
<source>Play</source>
<translation>Abspielen</translation>
</message>
<message>
<source>A sample of the study {name}</source>
<translation>Eine Hörprobe der Studie {name}</translation>
</message>
<message>
<source>Open a study folder</source>
<translation>Studienordner öffnen</translation>
</message>
<message>
<source>Save the report</source>
<translation>Bericht speichern</translation>
</message>
<message>
<source>Saved the report as {name} in {folder}</source>
<translation>Bericht als {name} in {folder} gespeichert</translation>
</message>
<message>
<source>A report is being saved: try again in a moment</source>
<translation>Ein Bericht wird gerade gespeichert: Versuchen Sie es gleich noch einmal</translation>
</message>
<message>
<source>This light package of musicrel does not include torch: it writes, rewrites, harmonises, plays, shows and exports. The full package adds the training and comparison of models, the attention of infilling models, the diagnosis of models, GPUs, and models with layers other than the bundled ones.</source>
<translation>Dieses schlanke Paket von musicrel enthält kein torch: Es schreibt, schreibt neu, harmonisiert, spielt, zeigt und exportiert. Mit dem vollständigen Paket können Sie außerdem Modelle trainieren und vergleichen, die Aufmerksamkeit ergänzender Modelle sehen, Modelle untersuchen, GPUs nutzen und Modelle mit anderen Schichten als den mitgelieferten verwenden.</translation>
</message>
<message>
<source>A model is being copied: try again in a moment</source>
<translation>Ein Modell wird gerade kopiert: Versuchen Sie es gleich noch einmal</translation>
</message>
<message>
<source>Undo</source>
<translation>Rückgängig</translation>
</message>
<message>
<source>Name of the study:</source>
<translation>Name der Studie:</translation>
</message>
<message>
<source>Rename study</source>
<translation>Studie umbenennen</translation>
</message>
<message>
<source>{before} is now {name}.</source>
<translation>{before} heißt jetzt {name}.</translation>
</message>
<message>
<source>{before} is archived.</source>
<translation>{before} ist archiviert.</translation>
</message>
<message>
<source>{before} is listed again.</source>
<translation>{before} steht wieder in der Liste.</translation>
</message>
<message>
<source>{before} was deleted; it is kept in {folder}.</source>
<translation>{before} wurde gelöscht und liegt noch in {folder}.</translation>
</message>
<message>
<source>{name} is back.</source>
<translation>{name} ist wieder da.</translation>
</message>
<message>
<source>&amp;Rename</source>
<translation>&amp;Umbenennen</translation>
</message>
<message>
<source>The study is being prepared: wait a moment</source>
<translation>Die Studie wird vorbereitet: einen Moment bitte</translation>
</message>
<message>
<source>Start now; the study continues when this window is closed</source>
<translation>Jetzt starten; die Studie läuft weiter, wenn dieses Fenster geschlossen wird</translation>
</message>
<message>
<source>Another study is running: this one starts when that one is finished</source>
<translation>Eine andere Studie läuft: Diese startet, sobald jene fertig ist</translation>
</message>
<message>
<source>Start from a study</source>
<translation>Studie als Vorlage wählen</translation>
</message>
<message>
<source>Studies (*.toml)</source>
<translation>Studien (*.toml)</translation>
</message>
<message>
<source>Choose the data</source>
<translation>Daten wählen</translation>
</message>
<message>
<source>Reading …</source>
<translation>Wird gelesen …</translation>
</message>
<message>
<source>Add to queue</source>
<translation>In die Warteschlange</translation>
</message>
<message>
<source>Checking …</source>
<translation>Wird geprüft …</translation>
</message>
<message>
<source>The entries are being checked: wait a moment</source>
<translation>Die Angaben werden geprüft: einen Moment bitte</translation>
</message>
<message>
<source>Start</source>
<comment>study</comment>
<translation>Starten</translation>
</message>
<message>
<source>A study trains models that differ in one respect on the same data in the same order, and reports whether one of them learns better, with confidence intervals.</source>
<translation>Eine Studie trainiert Modelle, die sich in einem Punkt unterscheiden, mit denselben Daten in derselben Reihenfolge und berichtet mit Konfidenzintervallen, ob eines besser lernt.</translation>
</message>
<message>
<source>From a file…</source>
<translation>Aus einer Datei …</translation>
</message>
<message>
<source>Unit of the budget</source>
<translation>Einheit des Budgets</translation>
</message>
<message>
<source>minutes</source>
<translation>Minuten</translation>
</message>
<message>
<source>Chec&amp;k files</source>
<translation>Dateien &amp;prüfen</translation>
</message>
<message>
<source>Generate a &amp;sample at each evaluation</source>
<translation>Bei &amp;jeder Auswertung eine Hörprobe schreiben</translation>
</message>
<message>
<source>Learning &amp;rates</source>
<translation>Lern&amp;raten</translation>
</message>
<message>
<source>Each arm is trained with every seed, e.g. 0, 1, 2 or 0-4</source>
<translation>Jede Variante wird mit jedem Startwert trainiert, z. B. 0, 1, 2 oder 0-4</translation>
</message>
<message>
<source>Training budget of each run</source>
<translation>Trainingsbudget jedes Laufs</translation>
</message>
<message>
<source>Learning rates to try first, e.g. 0.001, 0.002, 0.004: each arm gets the one with the lowest validation loss after a tenth of the budget. Empty: the rate of the recipe, without a search</source>
<translation>Lernraten, die zuerst ausprobiert werden, z. B. 0.001, 0.002, 0.004 (mit Punkt): Jede Variante erhält die mit dem kleinsten Validierungsverlust nach einem Zehntel des Budgets. Leer: die Lernrate des Rezepts, ohne Suche</translation>
</message>
<message>
<source>Each evaluation generates a sample of eight bars</source>
<translation>Bei jeder Auswertung entsteht eine Hörprobe von acht Takten</translation>
</message>
<message>
<source>no search</source>
<translation>keine Suche</translation>
</message>
<message>
<source>{meaning}; empty: value of the recipe</source>
<translation>{meaning}; leer: Wert des Rezepts</translation>
</message>
<message>
<source>File or folder of the data</source>
<translation>Datei oder Ordner der Daten</translation>
</message>
<message>
<source>Accepted and rejected files</source>
<translation>Angenommene und abgelehnte Dateien</translation>
</message>
<message>
<source>New study</source>
<translation>Neue Studie</translation>
</message>
<message>
<source>Start fro&amp;m</source>
<translation>&amp;Vorlage</translation>
</message>
<message>
<source>Run &amp;on</source>
<translation>Läuft &amp;auf</translation>
</message>
<message>
<source>Where it runs, budget, learning rates, and size and training of the models</source>
<translation>Wo sie läuft, Budget, Lernraten sowie Größe und Training der Modelle</translation>
</message>
<message>
<source>{title}: start here</source>
<translation>{title}: hier anfangen</translation>
</message>
<message>
<source>Arms to compare</source>
<translation>Varianten zum Vergleich</translation>
</message>
<message>
<source>Start from</source>
<translation>Vorlage</translation>
</message>
<message>
<source>The bundled Bach chorales</source>
<translation>Die mitgelieferten Bach-Choräle</translation>
</message>
<message>
<source>A JSB file</source>
<translation>Eine JSB-Datei</translation>
</message>
<message>
<source>A folder of your own pieces</source>
<translation>Ein Ordner mit eigenen Stücken</translation>
</message>
<message>
<source>Other data, by name</source>
<translation>Andere Daten, nach Namen</translation>
</message>
<message>
<source>Path of the folder</source>
<translation>Pfad des Ordners</translation>
</message>
<message>
<source>Source</source>
<translation>Quelle</translation>
</message>
<message>
<source>&amp;Browse…</source>
<translation>D&amp;urchsuchen …</translation>
</message>
<message>
<source>&amp;Name</source>
<translation>&amp;Name</translation>
</message>
<message>
<source>Compare</source>
<translation>Vergleich</translation>
</message>
<message>
<source>See&amp;ds</source>
<translation>S&amp;tartwerte</translation>
</message>
<message>
<source>Pieces</source>
<translation>Stücke</translation>
</message>
<message>
<source>Size</source>
<translation>Größe</translation>
</message>
<message>
<source>Bud&amp;get</source>
<translation>Bud&amp;get</translation>
</message>
<message>
<source>the study trains no models: its report is report.md in its folder</source>
<translation>die Studie trainiert keine Modelle: Ihr Bericht ist report.md in ihrem Ordner</translation>
</message>
<message>
<source>Show the files in {folder}</source>
<translation>Die Dateien in {folder} zeigen</translation>
</message>
<message>
<source>Runs on</source>
<translation>Läuft auf</translation>
</message>
<message>
<source>Progress of the study</source>
<translation>Fortschritt der Studie</translation>
</message>
<message>
<source>Save report…</source>
<translation>Bericht speichern …</translation>
</message>
<message>
<source>Save question, verdict, tables and curves as one HTML page or as a PDF</source>
<translation>Frage, Urteil, Tabellen und Kurven als HTML-Seite oder PDF speichern (auf Englisch)</translation>
</message>
<message>
<source>There is no result to report yet</source>
<translation>Es gibt noch kein Ergebnis zu berichten</translation>
</message>
<message>
<source>Give the study another name; its files stay as they are</source>
<translation>Der Studie einen anderen Namen geben; ihre Dateien bleiben, wie sie sind</translation>
</message>
<message>
<source>Remove the study from the list; it is kept, and Show archived lists it again</source>
<translation>Die Studie aus der Liste nehmen; sie bleibt erhalten, „Archivierte zeigen“ listet sie wieder auf</translation>
</message>
<message>
<source>List the study among the others again</source>
<translation>Die Studie wieder bei den anderen auflisten</translation>
</message>
<message>
<source>Move the study to the trash</source>
<translation>Die Studie in den Papierkorb legen</translation>
</message>
<message>
<source>Rename, archive or delete the study</source>
<translation>Die Studie umbenennen, archivieren oder löschen</translation>
</message>
<message>
<source>Take from the &amp;archive</source>
<translation>Aus dem &amp;Archiv holen</translation>
</message>
<message>
<source>&amp;Start</source>
<translation>&amp;Starten</translation>
</message>
<message>
<source>Start the study, or resume it from the last checkpoint</source>
<translation>Die Studie starten oder ab dem letzten Zwischenstand fortsetzen</translation>
</message>
<message>
<source>P&amp;ause</source>
<translation>&amp;Pause</translation>
</message>
<message>
<source>Pause after the current step; the process keeps running</source>
<translation>Nach dem laufenden Schritt pausieren; der Prozess bleibt am Leben</translation>
</message>
<message>
<source>&amp;Resume</source>
<translation>&amp;Fortsetzen</translation>
</message>
<message>
<source>Resume after a pause</source>
<translation>Nach einer Pause fortsetzen</translation>
</message>
<message>
<source>Stop and save</source>
<translation>Anhalten</translation>
</message>
<message>
<source>Save and stop; the study can be resumed later</source>
<translation>Speichern und anhalten; die Studie kann später fortgesetzt werden</translation>
</message>
<message>
<source>Cance&amp;l…</source>
<translation>A&amp;bbrechen …</translation>
</message>
<message>
<source>Stop now without saving, or remove from the queue</source>
<translation>Jetzt ohne Speichern anhalten oder aus der Warteschlange nehmen</translation>
</message>
<message>
<source>The folder is being read</source>
<translation>Der Ordner wird gelesen</translation>
</message>
<message>
<source>&amp;Archive</source>
<translation>&amp;Archivieren</translation>
</message>
<message>
<source>F&amp;older</source>
<translation>&amp;Ordner</translation>
</message>
<message>
<source>Log</source>
<translation>Protokoll</translation>
</message>
<message>
<source>Samples</source>
<translation>Hörproben</translation>
</message>
<message>
<source>Remove…</source>
<translation>Entfernen …</translation>
</message>
<message>
<source>Cancel…</source>
<translation>Abbrechen …</translation>
</message>
<message>
<source>Result</source>
<translation>Ergebnis</translation>
</message>
<message>
<source>&amp;More</source>
<comment>actions</comment>
<translation>&amp;Mehr</translation>
</message>
<message>
<source>This run is not finished</source>
<translation>Dieser Lauf ist nicht fertig</translation>
</message>
<message>
<source>This run diverged: it has no model</source>
<translation>Dieser Lauf ist divergiert: Er hat kein Modell</translation>
</message>
<message>
<source>Select a finished run first</source>
<translation>Wählen Sie zuerst einen fertigen Lauf</translation>
</message>
<message>
<source>Install the model of the selected run and use it in Compose</source>
<translation>Das Modell des gewählten Laufs installieren und damit komponieren</translation>
</message>
<message>
<source>Runs · losses in {unit}</source>
<translation>Läufe · Verluste in {unit}</translation>
</message>
<message>
<source>{meaning}, in {unit}</source>
<translation>{meaning}, in {unit}</translation>
</message>
<message>
<source>Arm</source>
<translation>Variante</translation>
</message>
<message>
<source>State</source>
<translation>Zustand</translation>
</message>
<message>
<source>Test</source>
<translation>Test</translation>
</message>
<message>
<source>Tokens/s</source>
<translation>Token/s</translation>
</message>
<message>
<source>Memory</source>
<translation>Speicher</translation>
</message>
<message>
<source>Parameters</source>
<translation>Parameter</translation>
</message>
<message>
<source> ({arm}, seed {seed})</source>
<translation> ({arm}, Startwert {seed})</translation>
</message>
<message>
<source>Copy the table</source>
<translation>Die Tabelle kopieren (auf Englisch)</translation>
</message>
<message>
<source>No runs yet</source>
<translation>Noch keine Läufe</translation>
</message>
<message>
<source>Runs of the study</source>
<translation>Läufe der Studie</translation>
</message>
<message>
<source>&amp;Use in Compose</source>
<translation>&amp;Damit komponieren</translation>
</message>
<message>
<source>As &amp;Markdown</source>
<translation>Als &amp;Markdown</translation>
</message>
<message>
<source>As CS&amp;V</source>
<translation>Als CS&amp;V</translation>
</message>
<message>
<source>As &amp;LaTeX</source>
<translation>Als &amp;LaTeX</translation>
</message>
<message>
<source>Runs</source>
<translation>Läufe</translation>
</message>
<message>
<source>Cop&amp;y</source>
<translation>&amp;Kopieren</translation>
</message>
<message>
<source>Choose a folder first</source>
<translation>Wählen Sie zuerst einen Ordner</translation>
</message>
<message>
<source>It is being prepared: wait a moment</source>
<translation>Wird vorbereitet: einen Moment bitte</translation>
</message>
<message>
<source>Start now; it continues when this window is closed, and can be stopped and resumed</source>
<translation>Jetzt starten; es läuft weiter, wenn dieses Fenster geschlossen wird, und kann angehalten und fortgesetzt werden</translation>
</message>
<message>
<source>Teach it my pieces</source>
<translation>Meine Stücke beibringen</translation>
</message>
<message>
<source>The model learns from the pieces in a folder, in four voices (MIDI, MusicXML, ABC or JSON), and goes on practising Bach’s chorales. That takes minutes. It then writes in their style: choose it as the style on the Compose page. Some pieces are held out to see how much it has learned.</source>
<translation>Das Modell lernt aus den vierstimmigen Stücken eines Ordners (MIDI, MusicXML, ABC oder JSON) und übt dabei Bachs Choräle weiter. Das dauert einige Minuten. Danach schreibt es in ihrem Stil: Wählen Sie ihn beim Komponieren. Einige Stücke werden zurückgehalten, um zu sehen, wie viel es gelernt hat.</translation>
</message>
<message>
<source>Choose the folder of your pieces</source>
<translation>Ordner mit Ihren Stücken wählen</translation>
</message>
<message>
<source>Choose a folder: each file is listed here with what was read of it, or why not.</source>
<translation>Wählen Sie einen Ordner: Hier steht dann zu jeder Datei, was gelesen wurde oder warum nichts.</translation>
</message>
<message>
<source>Te&amp;ach</source>
<translation>B&amp;eibringen</translation>
</message>
<message>
<source>A folder with pieces in it and in its subfolders</source>
<translation>Ein Ordner, der selbst oder in Unterordnern Stücke enthält</translation>
</message>
<message>
<source>Name of the style</source>
<translation>Name des Stils</translation>
</message>
<message>
<source>Files</source>
<translation>Dateien</translation>
</message>
<message>
<source>“{name}” exists in this folder.</source>
<translation>„{name}“ gibt es in diesem Ordner schon.</translation>
</message>
<message>
<source>Keep both gives the new files a number.</source>
<translation>„Beide behalten“ gibt den neuen Dateien eine Nummer.</translation>
</message>
<message>
<source>{format} file</source>
<translation>{format}-Datei</translation>
</message>
<message>
<source>Open a project or a piece</source>
<translation>Projekt oder Stück öffnen</translation>
</message>
<message>
<source>Projects and pieces ({patterns})</source>
<translation>Projekte und Stücke ({patterns})</translation>
</message>
<message>
<source>{count} of the {files} exist in this folder.</source>
<translation>{count} von {files} gibt es in diesem Ordner schon.</translation>
</message>
<message>
<source>All {files} already exist in this folder.</source>
<translation>Alle {files} gibt es in diesem Ordner schon.</translation>
</message>
<message>
<source>&amp;Replace</source>
<translation>&amp;Ersetzen</translation>
</message>
<message>
<source>&amp;Keep both</source>
<translation>&amp;Beide behalten</translation>
</message>
<message>
<source>musicrel project</source>
<translation>musicrel-Projekt</translation>
</message>
<message>
<source>musicrel piece</source>
<translation>musicrel-Stück</translation>
</message>
<message>
<source>MusicXML score</source>
<translation>MusicXML-Noten</translation>
</message>
<message>
<source>Compressed MusicXML</source>
<translation>MusicXML, komprimiert</translation>
</message>
<message>
<source>ABC notation</source>
<translation>ABC-Notation</translation>
</message>
<message>
<source>PDF score</source>
<translation>PDF-Noten</translation>
</message>
<message>
<source>SVG image</source>
<translation>SVG-Bild</translation>
</message>
<message>
<source>PNG image</source>
<translation>PNG-Bild</translation>
</message>
<message>
<source>Folder for the files</source>
<translation>Ordner für die Dateien</translation>
</message>
<message>
<source>practice file</source>
<translation>Übedatei</translation>
</message>
<message>
<source>practice files</source>
<translation>Übedateien</translation>
</message>
<message>
<source>Export practice files</source>
<translation>Übedateien exportieren</translation>
</message>
<message>
<source>One file for each voice, for singers to practise with.</source>
<translation>Eine Datei für jede Stimme, zum Üben für die Sänger.</translation>
</message>
<message>
<source>Level of the others</source>
<translation>Lautstärke der anderen</translation>
</message>
<message>
<source>compared with the voice</source>
<translation>im Vergleich zur Stimme</translation>
</message>
<message>
<source>{takes} as {files}</source>
<translation>{takes} als {files}</translation>
</message>
<message>
<source>Export takes</source>
<translation>Fassungen exportieren</translation>
</message>
<message>
<source>Choose at least one format</source>
<translation>Wählen Sie mindestens ein Format</translation>
</message>
<message>
<source>Choose a folder</source>
<translation>Wählen Sie einen Ordner</translation>
</message>
<message>
<source>Roman &amp;numerals below the score</source>
<translation>St&amp;ufen unter den Noten</translation>
</message>
<message>
<source>&amp;Figured bass below the score</source>
<translation>&amp;Generalbass unter den Noten</translation>
</message>
<message>
<source>R&amp;epeat signs instead of a second time</source>
<translation>Mit Wi&amp;ederholungszeichen</translation>
</message>
<message>
<source>Printer, paper and pages are chosen in the next step.</source>
<translation>Drucker, Papier und Seiten wählen Sie im nächsten Schritt.</translation>
</message>
<message>
<source>Save as P&amp;DF…</source>
<translation>Als &amp;PDF speichern …</translation>
</message>
<message>
<source>Only the score has staves, Roman numerals, a figured bass and repeats</source>
<translation>Nur das Notenbild hat Notensysteme, Stufen, Generalbass und Wiederholungszeichen</translation>
</message>
<message>
<source>Printing {title}</source>
<translation>Drucken von {title}</translation>
</message>
<message>
<source>{pages} sent to {printer}</source>
<translation>{pages} an {printer} gesendet</translation>
</message>
<message>
<source>Saved {pages} as {name} in {folder}</source>
<translation>{pages} als {name} in {folder} gespeichert</translation>
</message>
<message>
<source>the piece is not printed</source>
<translation>das Stück wird nicht gedruckt</translation>
</message>
<message>
<source>the PDF is not saved</source>
<translation>das PDF wird nicht gespeichert</translation>
</message>
<message>
<source>There is no such folder: choose another one</source>
<translation>Diesen Ordner gibt es nicht: Wählen Sie einen anderen</translation>
</message>
<message>
<source>Exporting {files}</source>
<translation>Exportieren von {files}</translation>
</message>
<message>
<source>Exported {files} to {folder}</source>
<translation>{files} nach {folder} exportiert</translation>
</message>
<message>
<source>Folder</source>
<translation>Ordner</translation>
</message>
<message>
<source>Choose at least one voice</source>
<translation>Wählen Sie mindestens eine Stimme</translation>
</message>
<message>
<source>The {voice} has no notes</source>
<translation>Der {voice} hat keine Noten</translation>
</message>
<message>
<source>No voice is left without the {voice}: choose the voice louder than the others</source>
<translation>Ohne den {voice} bleibt keine Stimme: Wählen Sie „Die Stimme lauter als die anderen“</translation>
</message>
<message>
<source>When a voice is left out, the others keep their level</source>
<translation>Fehlt eine Stimme, behalten die anderen ihre Lautstärke</translation>
</message>
<message>
<source>The voice louder than the others</source>
<translation>Die Stimme lauter als die anderen</translation>
</message>
<message>
<source>The others without the voice</source>
<translation>Die anderen ohne die Stimme</translation>
</message>
<message>
<source>&amp;Metronome</source>
<translation>&amp;Metronom</translation>
</message>
<message>
<source>Clicks on the beats, higher on the first of a bar</source>
<translation>Klicks auf den Zählzeiten, höher auf der ersten eines Takts</translation>
</message>
<message>
<source>A bar of clicks before, and the beats missing before a pickup</source>
<translation>Ein Takt Klicks davor und die vor einem Auftakt fehlenden Zählzeiten</translation>
</message>
<message>
<source>All &amp;verses</source>
<translation>Alle &amp;Strophen</translation>
</message>
<message>
<source>The verses one after the other, each with its own words</source>
<translation>Die Strophen nacheinander, jede mit ihrem eigenen Text</translation>
</message>
<message>
<source>&amp;Hold fermatas</source>
<translation>&amp;Fermaten aushalten</translation>
</message>
<message>
<source>Notes under a fermata longer; in MIDI files a slower tempo</source>
<translation>Noten unter einer Fermate länger; in MIDI-Dateien ein langsameres Tempo</translation>
</message>
<message>
<source>the piece</source>
<translation>das Stück</translation>
</message>
<message>
<source>No printer is set up on this computer: save a PDF instead</source>
<translation>Auf diesem Computer ist kein Drucker eingerichtet: Speichern Sie stattdessen ein PDF</translation>
</message>
<message>
<source>Save as PDF</source>
<translation>Als PDF speichern</translation>
</message>
<message>
<source>&amp;Export</source>
<translation>&amp;Exportieren</translation>
</message>
<message>
<source>&amp;Version</source>
<translation>&amp;Version</translation>
</message>
<message>
<source>&amp;Others</source>
<translation>&amp;Andere</translation>
</message>
<message>
<source>Forma&amp;t</source>
<translation>Forma&amp;t</translation>
</message>
<message>
<source>Voices</source>
<translation>Stimmen</translation>
</message>
<message>
<source>Sound</source>
<translation>Klang</translation>
</message>
<message>
<source>Formats</source>
<translation>Formate</translation>
</message>
<message>
<source>Piano roll</source>
<translation>Pianorolle</translation>
</message>
<message>
<source>Score and piano roll</source>
<translation>Noten und Pianorolle</translation>
</message>
<message>
<source>Two staves, as in a hymn book</source>
<translation>Zwei Notensysteme (Gesangbuch)</translation>
</message>
<message>
<source>Four staves, one for each voice</source>
<translation>Vier Notensysteme, eines je Stimme</translation>
</message>
<message>
<source>Print</source>
<translation>Drucken</translation>
</message>
<message>
<source>&amp;Content</source>
<translation>&amp;Inhalt</translation>
</message>
<message>
<source>&amp;Staves</source>
<translation>Noten&amp;systeme</translation>
</message>
<message>
<source>it is too long: its first {bars} bars are harmonised</source>
<translation>sie ist zu lang: Ihre ersten {bars} Takte werden harmonisiert</translation>
</message>
<message>
<source>the piece is not exported</source>
<translation>das Stück wird nicht exportiert</translation>
</message>
<message>
<source>Drag or copy the piece as a MIDI file</source>
<translation>Das Stück als MIDI-Datei ziehen oder kopieren</translation>
</message>
<message>
<source>Drag {what} to a folder or another program as a MIDI file; click to copy it. Bars that are selected are dragged alone</source>
<translation>Ziehen Sie {what} als MIDI-Datei in einen Ordner oder ein anderes Programm; ein Klick kopiert. Ausgewählte Takte werden allein gezogen</translation>
</message>
<message>
<source>Drag MIDI</source>
<translation>MIDI ziehen</translation>
</message>
<message>
<source>Drag {bars}</source>
<translation>{bars} ziehen</translation>
</message>
<message>
<source>Documents that you open or save are listed here</source>
<translation>Hier stehen Dokumente, die Sie öffnen oder speichern</translation>
</message>
<message>
<source>No document was opened yet</source>
<translation>Noch kein Dokument geöffnet</translation>
</message>
<message>
<source>cannot find {name} in {folder}: it was removed from the list of recent documents</source>
<translation>{name} ist nicht mehr in {folder} und wurde aus der Liste der letzten Dokumente entfernt</translation>
</message>
<message>
<source>&amp;Clear</source>
<translation>&amp;Leeren</translation>
</message>
<message>
<source>{name} is open in another window: choose another name</source>
<translation>{name} ist in einem anderen Fenster geöffnet: Wählen Sie einen anderen Namen</translation>
</message>
<message>
<source>cannot write {path}: its folder is missing</source>
<translation>{path} kann nicht geschrieben werden: Der Ordner fehlt</translation>
</message>
<message>
<source>another window has {name} open</source>
<translation>{name} ist in einem anderen Fenster geöffnet</translation>
</message>
<message>
<source>musicrel has ended twice with {file}: open it to try again</source>
<translation>musicrel wurde mit {file} zweimal unerwartet beendet: Öffnen Sie die Datei, um es noch einmal zu versuchen</translation>
</message>
<message>
<source>cannot write into {folder}: save the document elsewhere</source>
<translation>in {folder} kann nicht geschrieben werden: Speichern Sie das Dokument anderswo</translation>
</message>
<message>
<source>{path} is in the place of a lock, but is none: delete it</source>
<translation>{path} steht am Platz einer Sperrdatei, ist aber keine: Löschen Sie es</translation>
</message>
<message>
<source>cannot delete {path}: {reason}; save the document under another name</source>
<translation>{path} kann nicht gelöscht werden: {reason}; speichern Sie das Dokument unter einem anderen Namen</translation>
</message>
<message>
<source>cannot open a window: {program} cannot be started</source>
<translation>es kann kein Fenster geöffnet werden: {program} lässt sich nicht starten</translation>
</message>
<message>
<source>edits are kept only with Save As</source>
<translation>Änderungen bleiben nur mit „Speichern unter“ erhalten</translation>
</message>
<message>
<source>the computer “{host}” has {name} open; if it has not, delete {lock} and open the project again</source>
<translation>der Computer „{host}“ hat {name} geöffnet; wenn nicht, löschen Sie {lock} und öffnen Sie das Projekt noch einmal</translation>
</message>
<message>
<source>another program has replaced {path}, which is left as it is; what was saved last is in {kept}</source>
<translation>ein anderes Programm hat {path} ersetzt; diese Datei bleibt, wie sie ist, und was zuletzt gespeichert wurde, liegt in {kept}</translation>
</message>
<message>
<source>Apple GPU</source>
<translation>Apple-GPU</translation>
</message>
<message>
<source>Measuring which device is faster for {task}, once: {device}, {percent:.0f} %</source>
<translation>Einmalige Messung, welches Gerät beim {task} schneller ist: {device}, {percent:.0f} %</translation>
</message>
<message>
<source>writing</source>
<comment>task</comment>
<translation>Schreiben</translation>
</message>
<message>
<source>training</source>
<comment>task</comment>
<translation>Trainieren</translation>
</message>
<message>
<source>Unexpected error ({cause}); see the log file for details.</source>
<translation>Unerwarteter Fehler ({cause}); Einzelheiten stehen in der Protokolldatei.</translation>
</message>
<message>
<source>Generate a chorale</source>
<translation>Einen Choral komponieren</translation>
</message>
<message>
<source>Write a melody and harmonise it</source>
<translation>Eine Melodie schreiben und harmonisieren</translation>
</message>
<message>
<source>Open a file (MIDI, MusicXML, ABC)</source>
<translation>Eine Datei öffnen (MIDI, MusicXML, ABC)</translation>
</message>
<message>
<source>Help &gt; First steps on the empty sheet shows this again.</source>
<translation>Wieder über „Hilfe &gt; Erste Schritte auf dem leeren Blatt“.</translation>
</message>
<message>
<source>First steps</source>
<translation>Erste Schritte</translation>
</message>
<message>
<source>What next?</source>
<translation>Wie weiter?</translation>
</message>
<message>
<source>Listen</source>
<translation>Anhören</translation>
</message>
<message>
<source>Change a phrase</source>
<translation>Phrase ändern</translation>
</message>
<message>
<source>Open the menu of a phrase, as a click on its bracket above the notes does</source>
<translation>Das Menü einer Phrase öffnen, wie ein Klick auf ihre Klammer über den Noten</translation>
</message>
<message>
<source>Export as MIDI, score or sound</source>
<translation>Als MIDI, Noten oder Klang exportieren</translation>
</message>
<message>
<source>Close</source>
<translation>Schließen</translation>
</message>
<message>
<source>The card of the model cannot be read</source>
<translation>Die Karte des Modells ist nicht lesbar</translation>
</message>
<message>
<source>A bundled model of the same name is used instead</source>
<translation>Ein mitgeliefertes Modell gleichen Namens wird stattdessen verwendet</translation>
</message>
<message>
<source>{name} is chosen in the form.</source>
<translation>{name} ist im Formular gewählt.</translation>
</message>
<message>
<source>{sentence} {name} is chosen in the form instead.</source>
<translation>{sentence} Im Formular ist stattdessen {name} gewählt.</translation>
</message>
<message>
<source>The import was stopped; nothing was changed.</source>
<translation>Der Import wurde abgebrochen; nichts wurde geändert.</translation>
</message>
<message>
<source>Import as {free}</source>
<translation>Als {free} importieren</translation>
</message>
<message>
<source>Models (*.zip {card})</source>
<translation>Modelle (*.zip {card})</translation>
</message>
<message>
<source>Import a f&amp;older…</source>
<translation>&amp;Ordner importieren …</translation>
</message>
<message>
<source>Chosen in the form</source>
<translation>Im Formular gewählt</translation>
</message>
<message>
<source>Copy the SHA-256 of the weights</source>
<translation>SHA-256 der Gewichte kopieren</translation>
</message>
<message>
<source>Card of the model</source>
<translation>Modellkarte</translation>
</message>
<message>
<source>Stored in {folder}</source>
<translation>Gespeichert in {folder}</translation>
</message>
<message>
<source>Notes are being written: wait until they are finished, or stop them</source>
<translation>Es werden gerade Noten geschrieben: Warten Sie, bis sie fertig sind, oder halten Sie an</translation>
</message>
<message>
<source>{name} does not write notes, so the form cannot use it</source>
<translation>{name} schreibt keine Noten, daher ist es im Formular nicht verwendbar</translation>
</message>
<message>
<source>A model is being imported</source>
<translation>Ein Modell wird importiert</translation>
</message>
<message>
<source>{name} was imported; the previous model of that name is in the trash.</source>
<translation>{name} wurde importiert; das bisherige Modell dieses Namens liegt im Papierkorb.</translation>
</message>
<message>
<source>{name} was removed; it is kept in {folder}.</source>
<translation>{name} wurde entfernt; es liegt noch in {folder}.</translation>
</message>
<message>
<source>A model is being imported: wait until it is finished</source>
<translation>Ein Modell wird importiert: Warten Sie, bis es fertig ist</translation>
</message>
<message>
<source>Import a model</source>
<translation>Ein Modell importieren</translation>
</message>
<message>
<source>Import the new one as {free}, or replace the old one? Undo restores it.</source>
<translation>Das neue als {free} importieren oder das alte ersetzen? „Rückgängig“ stellt es wieder her.</translation>
</message>
<message>
<source>{name} was imported.</source>
<translation>{name} wurde importiert.</translation>
</message>
<message>
<source>There is a model called {name} already.</source>
<translation>Ein Modell namens {name} gibt es schon.</translation>
</message>
<message>
<source>It belongs to musicrel or is writing notes, so it cannot be replaced. Import the new one as {free}?</source>
<translation>Es gehört zu musicrel oder schreibt gerade Noten und lässt sich daher nicht ersetzen. Das neue als {free} importieren?</translation>
</message>
<message>
<source>Models</source>
<translation>Modelle</translation>
</message>
<message>
<source>Models write and rewrite the notes, on this computer. Drop the folder or the zip archive of a model here to import it.</source>
<translation>Modelle schreiben Noten und schreiben sie neu, alles auf diesem Computer. Ziehen Sie den Ordner oder das Zip-Archiv eines Modells hierher, um es zu importieren.</translation>
</message>
<message>
<source>Name it is chosen by</source>
<translation>Name, unter dem es gewählt wird</translation>
</message>
<message>
<source>Task</source>
<translation>Aufgabe</translation>
</message>
<message>
<source>Writes new pieces, rewrites parts of pieces, or ranks candidates</source>
<translation>Schreibt neue Stücke, schreibt Teile neu oder ordnet Vorschläge</translation>
</message>
<message>
<source>Family</source>
<translation>Art</translation>
</message>
<message>
<source>Kind of model</source>
<translation>Art des Modells</translation>
</message>
<message>
<source>Positions</source>
<translation>Positionen</translation>
</message>
<message>
<source>How positions enter the model</source>
<translation>Wie Positionen in das Modell eingehen</translation>
</message>
<message>
<source>Number of trained parameters</source>
<translation>Zahl der trainierten Parameter</translation>
</message>
<message>
<source>Size of the weights on disk</source>
<translation>Größe der Gewichte auf dem Datenträger</translation>
</message>
<message>
<source>Loss</source>
<translation>Verlust</translation>
</message>
<message>
<source>Validation loss in nats per note; not comparable between families</source>
<translation>Validierungsverlust in Nat je Note; zwischen verschiedenen Arten nicht vergleichbar</translation>
</message>
<message>
<source>Licence</source>
<translation>Lizenz</translation>
</message>
<message>
<source>Licence of the model</source>
<translation>Lizenz des Modells</translation>
</message>
<message>
<source>Installed</source>
<translation>Herkunft</translation>
</message>
<message>
<source>Shipped with musicrel, or imported by you</source>
<translation>Mit musicrel geliefert oder von Ihnen importiert</translation>
</message>
<message>
<source>Added</source>
<translation>Hinzugefügt</translation>
</message>
<message>
<source>Day of its installation</source>
<translation>Tag der Installation</translation>
</message>
<message>
<source>Add a model from a zip archive, or from the card.json in its folder</source>
<translation>Ein Modell aus einem Zip-Archiv oder aus der card.json in seinem Ordner hinzufügen</translation>
</message>
<message>
<source>Add the model in a folder</source>
<translation>Das Modell in einem Ordner hinzufügen</translation>
</message>
<message>
<source>Move the model to the trash of musicrel; Undo restores it</source>
<translation>Das Modell in den Papierkorb von musicrel verschieben; „Rückgängig“ stellt es wieder her</translation>
</message>
<message>
<source>Choose the model in the form</source>
<translation>Das Modell im Formular wählen</translation>
</message>
<message>
<source>&amp;Import…</source>
<translation>&amp;Importieren …</translation>
</message>
<message>
<source>&amp;Remove</source>
<translation>&amp;Entfernen</translation>
</message>
<message>
<source>&amp;Use</source>
<translation>&amp;Verwenden</translation>
</message>
<message>
<source>Changes apply at once and to new windows.</source>
<translation>Änderungen gelten sofort und für neue Fenster.</translation>
</message>
<message>
<source>{name} (not connected)</source>
<translation>{name} (nicht angeschlossen)</translation>
</message>
<message>
<source>Looking for devices …</source>
<translation>Geräte werden gesucht …</translation>
</message>
<message>
<source>Choose the folder</source>
<translation>Den Ordner wählen</translation>
</message>
<message>
<source>&amp;Restore defaults</source>
<translation>&amp;Standardwerte</translation>
</message>
<message>
<source>Folder for exports</source>
<translation>Ordner für Exporte</translation>
</message>
<message>
<source>Preferences</source>
<translation>Einstellungen</translation>
</message>
<message>
<source>As the system</source>
<translation>Wie das System</translation>
</message>
<message>
<source>Light</source>
<translation>Hell</translation>
</message>
<message>
<source>Dark</source>
<translation>Dunkel</translation>
</message>
<message>
<source>All</source>
<comment>motion</comment>
<translation>Voll</translation>
</message>
<message>
<source>Reduced: the playhead moves from beat to beat</source>
<translation>Reduziert: Die Abspielmarke springt von Zählzeit zu Zählzeit</translation>
</message>
<message>
<source>An empty document</source>
<translation>Ein leeres Dokument</translation>
</message>
<message>
<source>The last document</source>
<translation>Das letzte Dokument</translation>
</message>
<message>
<source>Score on two staves</source>
<translation>Noten in zwei Notensystemen</translation>
</message>
<message>
<source>Score on four staves</source>
<translation>Noten in vier Notensystemen</translation>
</message>
<message>
<source>The language changes when musicrel is started again</source>
<translation>Die Sprache ändert sich beim nächsten Start von musicrel</translation>
</message>
<message>
<source>As last time</source>
<translation>Wie beim letzten Mal</translation>
</message>
<message>
<source>The system’s default device</source>
<translation>Das Standardgerät des Systems</translation>
</message>
<message>
<source>All</source>
<translation>Alle</translation>
</message>
<message>
<source>Processor cores that models compute on; pieces do not depend on their number, except when torch writes them</source>
<translation>Prozessorkerne, auf denen Modelle rechnen; die Stücke hängen nicht von ihrer Zahl ab, außer wenn torch sie schreibt</translation>
</message>
<message>
<source>Appearance</source>
<translation>Darstellung</translation>
</message>
<message>
<source>Export</source>
<translation>Export</translation>
</message>
<message>
<source>Start</source>
<translation>Start</translation>
</message>
<message>
<source>&amp;Language</source>
<translation>Sp&amp;rache</translation>
</message>
<message>
<source>Language of the window</source>
<translation>Sprache des Fensters</translation>
</message>
<message>
<source>Colours of the window</source>
<translation>Farben des Fensters</translation>
</message>
<message>
<source>Te&amp;xt size</source>
<translation>Te&amp;xtgröße</translation>
</message>
<message>
<source>Size of all text, in percent of the system’s text size</source>
<translation>Größe aller Texte, in Prozent der Textgröße des Systems</translation>
</message>
<message>
<source>&amp;Motion</source>
<translation>&amp;Bewegung</translation>
</message>
<message>
<source>Movement on the screen while music plays</source>
<translation>Bewegung auf dem Bildschirm während der Wiedergabe</translation>
</message>
<message>
<source>Processor or graphics card that models compute on</source>
<translation>Prozessor oder Grafikkarte, worauf Modelle rechnen</translation>
</message>
<message>
<source>Co&amp;res</source>
<translation>&amp;Kerne</translation>
</message>
<message>
<source>&amp;Audio device</source>
<translation>&amp;Audiogerät</translation>
</message>
<message>
<source>Device that plays the pieces</source>
<translation>Gerät, das die Stücke abspielt</translation>
</message>
<message>
<source>&amp;Folder</source>
<translation>&amp;Ordner</translation>
</message>
<message>
<source>Folder suggested by Export; empty: the one used last</source>
<translation>Ordner, den der Export vorschlägt; leer: der zuletzt benutzte</translation>
</message>
<message>
<source>F&amp;ormat</source>
<translation>&amp;Format</translation>
</message>
<message>
<source>File type suggested by Export</source>
<translation>Dateityp, den der Export vorschlägt</translation>
</message>
<message>
<source>&amp;Open</source>
<translation>Öff&amp;nen</translation>
</message>
<message>
<source>Document that musicrel starts with</source>
<translation>Dokument, mit dem musicrel startet</translation>
</message>
<message>
<source>&amp;Sheet</source>
<translation>B&amp;latt</translation>
</message>
<message>
<source>What a new window shows of a piece</source>
<translation>Was ein neues Fenster von einem Stück zeigt</translation>
</message>
<message>
<source>there is no folder {path}: choose one that exists, or leave the field empty</source>
<translation>den Ordner {path} gibt es nicht: Wählen Sie einen vorhandenen oder lassen Sie das Feld leer</translation>
</message>
<message>
<source>this computer has no {name} device that musicrel can use: choose another one</source>
<translation>dieser Computer hat kein {name}-Gerät, das musicrel verwenden kann: Wählen Sie ein anderes</translation>
</message>
<message>
<source>Change keyboard shortcuts</source>
<translation>Tastenkürzel ändern</translation>
</message>
<message>
<source>Select a command, click in the field below and press its new keys.</source>
<translation>Wählen Sie einen Befehl, klicken Sie in das Feld darunter und drücken Sie die neuen Tasten.</translation>
</message>
<message>
<source>Search, such as “loop” or “Ctrl+”</source>
<translation>Suchen, etwa „Schleife“ oder „Strg+“</translation>
</message>
<message>
<source>New &amp;keys</source>
<translation>Neue &amp;Tasten</translation>
</message>
<message>
<source>N&amp;o keys</source>
<translation>&amp;Keine Tasten</translation>
</message>
<message>
<source>&amp;Default</source>
<translation>Stan&amp;dard</translation>
</message>
<message>
<source>These are the default keys</source>
<translation>Dies sind die Standardtasten</translation>
</message>
<message>
<source>The command has no keys</source>
<translation>Der Befehl hat keine Tasten</translation>
</message>
<message>
<source>{keys} is the shortcut of “{command}”: choose other keys, or change that one first.</source>
<translation>{keys} gehört schon zu „{command}“: Wählen Sie andere Tasten oder ändern Sie zuerst jenes Kürzel.</translation>
</message>
<message>
<source>{keys} is used in texts, lists or note input: add Ctrl, or choose a function key.</source>
<translation>{keys} wird in Texten, Listen oder der Noteneingabe gebraucht: Nehmen Sie Strg hinzu oder eine Funktionstaste.</translation>
</message>
<message>
<source>{keys} opens menus and leads to fields: add Ctrl.</source>
<translation>{keys} öffnet Menüs und führt zu Feldern: Nehmen Sie Strg hinzu.</translation>
</message>
<message>
<source>Menu</source>
<translation>Menü</translation>
</message>
<message>
<source>Command</source>
<translation>Befehl</translation>
</message>
<message>
<source>Keys</source>
<comment>keyboard</comment>
<translation>Tasten</translation>
</message>
<message>
<source>Commands</source>
<translation>Befehle</translation>
</message>
<message>
<source>No shortcut has “{text}” in its keys or its name.</source>
<translation>Kein Tastenkürzel enthält „{text}“ in Tasten oder Namen.</translation>
</message>
<message>
<source>{effect}, while candidates are shown</source>
<translation>{effect}, solange Vorschläge zu sehen sind</translation>
</message>
<message>
<source>Keyboard shortcuts</source>
<translation>Tastenkürzel</translation>
</message>
<message>
<source>Keys without Ctrl or Alt work while the view of their group has the focus.</source>
<translation>Tasten ohne Strg oder Alt wirken, solange die Ansicht ihrer Gruppe den Fokus hat.</translation>
</message>
<message>
<source>Roll and score</source>
<translation>Pianorolle und Noten</translation>
</message>
<message>
<source>Phrases above the roll</source>
<translation>Phrasen über der Pianorolle</translation>
</message>
<message>
<source>Candidates and takes</source>
<translation>Vorschläge und Fassungen</translation>
</message>
<message>
<source>Note input on or off</source>
<translation>Noteneingabe ein oder aus</translation>
</message>
<message>
<source>A to G</source>
<translation>A bis G</translation>
</message>
<message>
<source>Write the note nearest to the one before</source>
<translation>Die Note schreiben, die der vorigen am nächsten liegt</translation>
</message>
<message>
<source>Write a rest</source>
<translation>Eine Pause schreiben</translation>
</message>
<message>
<source>Sixteenth, eighth, quarter, half, whole</source>
<translation>Sechzehntel, Achtel, Viertel, Halbe, Ganze</translation>
</message>
<message>
<source>Dotted</source>
<translation>Punktiert</translation>
</message>
<message>
<source>Backspace</source>
<translation>Rücktaste</translation>
</message>
<message>
<source>Remove the note before the cursor</source>
<translation>Die Note vor dem Cursor löschen</translation>
</message>
<message>
<source>Left, Right</source>
<translation>Links, Rechts</translation>
</message>
<message>
<source>Move the cursor by a note</source>
<translation>Den Cursor um eine Note bewegen</translation>
</message>
<message>
<source>Home, End</source>
<translation>Pos1, Ende</translation>
</message>
<message>
<source>Move the cursor to the beginning, or after the last note</source>
<translation>Den Cursor an den Anfang oder hinter die letzte Note setzen</translation>
</message>
<message>
<source>Up, Down</source>
<translation>Hoch, Herunter</translation>
</message>
<message>
<source>Raise or lower the note just written by a semitone</source>
<translation>Die eben geschriebene Note um einen Halbton erhöhen oder erniedrigen</translation>
</message>
<message>
<source>Ctrl+Up, Ctrl+Down</source>
<translation>Strg+Hoch/Herunter</translation>
</message>
<message>
<source>The same by an octave</source>
<translation>Dasselbe um eine Oktave</translation>
</message>
<message>
<source>Tie it to another note of the chosen length</source>
<translation>Eine weitere Note der gewählten Länge anbinden</translation>
</message>
<message>
<source>Page Up, Page Down</source>
<translation>Bild auf, Bild ab</translation>
</message>
<message>
<source>Write the voice above or below</source>
<translation>Die Stimme darüber oder darunter schreiben</translation>
</message>
<message>
<source>Leave note input</source>
<translation>Noteneingabe beenden</translation>
</message>
<message>
<source>Move the selection by a step</source>
<translation>Die Auswahl um einen Schritt bewegen</translation>
</message>
<message>
<source>Select the voice above or below</source>
<translation>Die Stimme darüber oder darunter auswählen</translation>
</message>
<message>
<source>Shift+Left, Shift+Right</source>
<translation>Umschalt+Links/Rechts</translation>
</message>
<message>
<source>Shorten or lengthen the selection</source>
<translation>Die Auswahl verkürzen oder verlängern</translation>
</message>
<message>
<source>Shift+Up, Shift+Down</source>
<translation>Umschalt+Hoch/Herunter</translation>
</message>
<message>
<source>Add the voice above or below</source>
<translation>Die Stimme darüber oder darunter hinzunehmen</translation>
</message>
<message>
<source>Select or deselect a voice</source>
<translation>Eine Stimme auswählen oder abwählen</translation>
</message>
<message>
<source>Select nothing</source>
<translation>Nichts auswählen</translation>
</message>
<message>
<source>Zoom in, zoom out, whole piece</source>
<translation>Vergrößern, verkleinern, ganzes Stück</translation>
</message>
<message>
<source>Return to the sheet</source>
<translation>Zurück zum Blatt</translation>
</message>
<message>
<source>Select a phrase</source>
<translation>Eine Phrase auswählen</translation>
</message>
<message>
<source>Move the end of the phrase by a bar</source>
<translation>Das Ende der Phrase um einen Takt verschieben</translation>
</message>
<message>
<source>Return</source>
<translation>Return</translation>
</message>
<message>
<source>Cadence and other choices</source>
<translation>Kadenz und anderes wählen</translation>
</message>
<message>
<source>Show another candidate</source>
<translation>Einen anderen Vorschlag zeigen</translation>
</message>
<message>
<source>Select another take</source>
<translation>Eine andere Fassung auswählen</translation>
</message>
<message>
<source>Accept the candidate, use the take</source>
<translation>Den Vorschlag übernehmen, die Fassung verwenden</translation>
</message>
<message>
<source>&amp;Change…</source>
<translation>&amp;Ändern …</translation>
</message>
<message>
<source>Record a melody</source>
<translation>Melodie aufnehmen</translation>
</message>
<message>
<source>Play to the metronome. After a count-in of one bar, notes appear on the roll, quantised to sixteenths; notes during the count-in become the pickup.</source>
<translation>Spielen Sie zum Metronom. Nach einem Takt Einzähler erscheinen die Noten in der Pianorolle, quantisiert auf Sechzehntel; Noten während des Einzählers werden zum Auftakt.</translation>
</message>
<message>
<source>Stop and keep the recording (Return or Esc)</source>
<translation>Anhalten und die Aufnahme behalten (Return oder Esc)</translation>
</message>
<message>
<source>Stop and discard the recording</source>
<translation>Anhalten und die Aufnahme verwerfen</translation>
</message>
<message>
<source>Chords use all four voices</source>
<translation>Akkorde verwenden alle vier Stimmen</translation>
</message>
<message>
<source>A melody or chords</source>
<translation>Eine Melodie oder Akkorde</translation>
</message>
<message>
<source>Beats in a bar; the first has a higher click</source>
<translation>Zählzeiten im Takt; die erste klickt höher</translation>
</message>
<message>
<source>Quarters per minute, for the recording only</source>
<translation>Viertel pro Minute, nur für die Aufnahme</translation>
</message>
<message>
<source>Play a note to test the keyboard</source>
<translation>Spielen Sie einen Ton, um das Keyboard zu prüfen</translation>
</message>
<message>
<source>Received {pitch}</source>
<translation>{pitch} empfangen</translation>
</message>
<message>
<source>One note at a time, to be harmonised</source>
<translation>Ein Ton nach dem anderen, zum Harmonisieren</translation>
</message>
<message>
<source>Chords</source>
<translation>Akkorde</translation>
</message>
<message>
<source>Up to four notes at a time, which become the four voices</source>
<translation>Bis zu vier Töne zugleich, die zu den vier Stimmen werden</translation>
</message>
<message>
<source>Record</source>
<translation>Aufnehmen</translation>
</message>
<message>
<source>Discard</source>
<translation>Verwerfen</translation>
</message>
<message>
<source>&amp;Keyboard</source>
<translation>&amp;Keyboard</translation>
</message>
<message>
<source>&amp;Input</source>
<translation>&amp;Eingabe</translation>
</message>
<message>
<source>Position of the playhead: bar and beat</source>
<translation>Stelle der Abspielmarke: Takt und Zählzeit</translation>
</message>
<message>
<source>Time at the playhead and length of the piece, at this tempo and with fermatas as held</source>
<translation>Zeit an der Abspielmarke und Länge des Stücks, in diesem Tempo und mit den Fermaten, wie sie ausgehalten werden</translation>
</message>
<message>
<source>Quarters per minute</source>
<translation>Viertel pro Minute</translation>
</message>
<message>
<source>No sound</source>
<translation>Kein Ton</translation>
</message>
<message>
<source>Tempo</source>
<translation>Tempo</translation>
</message>
<message>
<source>Temp&amp;o</source>
<translation>Temp&amp;o</translation>
</message>
<message>
<source>Master volume</source>
<translation>Gesamtlautstärke</translation>
</message>
<message>
<source>Reverb</source>
<translation>Hall</translation>
</message>
<message>
<source>all voices</source>
<translation>alle Stimmen</translation>
</message>
<message>
<source>the built-in one</source>
<translation>der eingebaute</translation>
</message>
<message>
<source>SoundFont of all instruments but choir and organ: {name}</source>
<translation>SoundFont aller Instrumente außer Chor und Orgel: {name}</translation>
</message>
<message>
<source>&amp;Choose a SoundFont…</source>
<translation>SoundFont &amp;wählen …</translation>
</message>
<message>
<source>&amp;Built-in SoundFont</source>
<translation>&amp;Eingebauter SoundFont</translation>
</message>
<message>
<source>Instrument of {owner}</source>
<translation>Instrument für {owner}</translation>
</message>
<message>
<source>Mute {}</source>
<translation>{} stummschalten</translation>
</message>
<message>
<source>Solo {}</source>
<translation>{} solo</translation>
</message>
<message>
<source>Volume of {}</source>
<translation>Lautstärke: {}</translation>
</message>
<message>
<source>Pan of {}</source>
<translation>Panorama: {}</translation>
</message>
<message>
<source>{voice} is muted</source>
<translation>{voice} ist stumm</translation>
</message>
<message>
<source>Volume of the metronome</source>
<translation>Lautstärke des Metronoms</translation>
</message>
<message>
<source>A bar of clicks before playback, and the beats missing before a pickup</source>
<translation>Ein Takt Klicks vor der Wiedergabe, dazu die vor einem Auftakt fehlenden Zählzeiten</translation>
</message>
<message>
<source>No count</source>
<translation>Einzählen aus</translation>
</message>
<message>
<source>Count at start</source>
<translation>Einzählen am Start</translation>
</message>
<message>
<source>Count always</source>
<translation>Einzählen immer</translation>
</message>
<message>
<source>Count-in</source>
<translation>Einzähler</translation>
</message>
<message>
<source>Metronome</source>
<translation>Metronom</translation>
</message>
<message>
<source>Mixed</source>
<translation>Gemischt</translation>
</message>
<message>
<source>{voice}: click to lock against rewriting (Ctrl+Alt+{number})</source>
<translation>{voice}: ein Klick sperrt gegen Neuschreiben (Strg+Alt+{number})</translation>
</message>
<message>
<source>{voice} is locked: click to unlock (Ctrl+Alt+{number})</source>
<translation>{voice} ist gesperrt: ein Klick entsperrt (Strg+Alt+{number})</translation>
</message>
<message>
<source>Voices: {names}</source>
<translation>Stimmen: {names}</translation>
</message>
<message>
<source>Locked: {voices}</source>
<translation>Gesperrt: {voices}</translation>
</message>
<message>
<source>0.0 nats</source>
<translation>0,0 Nat</translation>
</message>
<message>
<source>9.9 nats +</source>
<translation>9,9 Nat +</translation>
</message>
<message>
<source>Drag its end to another bar; click for its cadence, to split or to join it</source>
<translation>Das Ende in einen anderen Takt ziehen; klicken für Kadenz, Teilen und Verbinden</translation>
</message>
<message>
<source>Click to select it or to rewrite its lower voices</source>
<translation>Klicken, um sie auszuwählen oder ihre Unterstimmen neu zu schreiben</translation>
</message>
<message>
<source>Phrases of the next piece</source>
<translation>Phrasen des nächsten Stücks</translation>
</message>
<message>
<source>No phrases: the model places them. Click to draw some as in Bach.</source>
<translation>Keine Phrasen: Das Modell setzt sie. Ein Klick lost welche wie bei Bach aus.</translation>
</message>
<message>
<source>S&amp;elect this phrase</source>
<translation>Diese Phrase aus&amp;wählen</translation>
</message>
<message>
<source>&amp;Rewrite the lower voices of this phrase</source>
<translation>&amp;Unterstimmen dieser Phrase neu schreiben</translation>
</message>
<message>
<source>All phrases as in &amp;Bach</source>
<translation>Alle Phrasen wie bei &amp;Bach</translation>
</message>
<message>
<source>Draw phrases and pickup from the seed</source>
<translation>Phrasen und Auftakt mit dem Startwert auslosen</translation>
</message>
<message>
<source>&amp;Undo all changes of phrases</source>
<translation>Alle Änderungen der Phrasen &amp;rückgängig machen</translation>
</message>
<message>
<source>&amp;Authentic cadence</source>
<translation>&amp;Authentischer Schluss</translation>
</message>
<message>
<source>&amp;Half cadence</source>
<translation>&amp;Halbschluss</translation>
</message>
<message>
<source>&amp;Plagal cadence</source>
<translation>&amp;Plagaler Schluss</translation>
</message>
<message>
<source>&amp;Deceptive cadence</source>
<translation>&amp;Trugschluss</translation>
</message>
<message>
<source>A&amp;ny cadence</source>
<translation>Be&amp;liebige Kadenz</translation>
</message>
<message>
<source>&amp;Split the phrase</source>
<translation>Phrase te&amp;ilen</translation>
</message>
<message>
<source>&amp;Join with the next one</source>
<translation>Mit der nächsten &amp;verbinden</translation>
</message>
<message>
<source>Voice ranges</source>
<translation>Stimmumfänge</translation>
</message>
<message>
<source>{voice}: {low} to {high}</source>
<translation>{voice}: {low} bis {high}</translation>
</message>
<message>
<source>Click to place the playhead, drag to set the loop or move an end of it, double-click to select the bar; click the loop at the top to remove it</source>
<translation>Klicken setzt die Abspielmarke, Ziehen die Schleife oder eines ihrer Enden, Doppelklicken wählt den Takt aus; ein Klick oben auf die Schleife entfernt sie</translation>
</message>
<message>
<source>Locked against rewriting: unlock the selection ({key[rewriting.lock]})</source>
<translation>Gegen Neuschreiben gesperrt: Auswahl entsperren ({key[rewriting.lock]})</translation>
</message>
<message>
<source>About {name}</source>
<translation>Über {name}</translation>
</message>
<message>
<source>About the model</source>
<translation>Über das Modell</translation>
</message>
<message>
<source>No model is selected.</source>
<translation>Kein Modell ist ausgewählt.</translation>
</message>
<message>
<source>no program opens {path}: open it in a file manager</source>
<translation>kein Programm öffnet {path}: Öffnen Sie es in einem Dateimanager</translation>
</message>
<message>
<source>Search in all guides (Ctrl+F)</source>
<translation>In allen Anleitungen suchen (Strg+F)</translation>
</message>
<message>
<source>Sections found</source>
<translation>Gefundene Abschnitte</translation>
</message>
<message>
<source>No guide has “{text}”.</source>
<translation>„{text}“ steht in keiner Anleitung.</translation>
</message>
<message>
<source>&amp;Back</source>
<translation>&amp;Zurück</translation>
</message>
<message>
<source>&amp;User guide</source>
<translation>&amp;Handbuch</translation>
</message>
<message>
<source>&amp;Command line</source>
<translation>&amp;Befehlszeile</translation>
</message>
<message>
<source>&amp;Attention and positional schemes</source>
<translation>&amp;Aufmerksamkeit und Positionsverfahren</translation>
</message>
<message>
<source>E&amp;ffects and muted heads</source>
<translation>&amp;Wirkungen und stumme Köpfe</translation>
</message>
<message>
<source>T&amp;wo models side by side</source>
<translation>&amp;Zwei Modelle nebeneinander</translation>
</message>
<message>
<source>For &amp;teachers</source>
<translation>Für &amp;Lehrende</translation>
</message>
<message>
<source>&amp;Experiments</source>
<translation>&amp;Experimente</translation>
</message>
<message>
<source>&amp;Keyboard and screen readers</source>
<translation>&amp;Tastatur und Screenreader</translation>
</message>
<message>
<source>&amp;Results</source>
<translation>Er&amp;gebnisse</translation>
</message>
<message>
<source>&amp;How it works</source>
<translation>&amp;So funktioniert es</translation>
</message>
<message>
<source>File f&amp;ormats</source>
<translation>&amp;Dateiformate</translation>
</message>
<message>
<source>Reference of co&amp;mmands</source>
<translation>&amp;Referenz der Befehle</translation>
</message>
<message>
<source>Reference of &amp;Python</source>
<translation>Referenz für &amp;Python</translation>
</message>
<message>
<source>This guide is part of the source code of musicrel and is not installed</source>
<translation>Diese Anleitung gehört zum Quelltext von musicrel und ist nicht installiert</translation>
</message>
<message>
<source>there are no web pages here: python packaging/build_docs.py makes them</source>
<translation>hier sind keine Webseiten: python packaging/build_docs.py erzeugt sie</translation>
</message>
<message>
<source>About musicrel</source>
<translation>Über musicrel</translation>
</message>
<message>
<source>device: {device}</source>
<translation>Gerät: {device}</translation>
</message>
<message>
<source>A desktop studio for four-voice chorales, generated on this computer by transformers with and without relative attention.</source>
<translation>Ein Studio für vierstimmige Choräle, auf diesem Computer komponiert von Transformern mit und ohne relative Aufmerksamkeit.</translation>
</message>
<message>
<source>current</source>
<translation>aktuell</translation>
</message>
<message>
<source>Every piece that is generated, rewritten or harmonised is kept here as a take.</source>
<translation>Hier bleibt jedes komponierte oder geänderte Stück als Fassung.</translation>
</message>
<message>
<source>No take matches: choose “All takes”</source>
<translation>Keine Fassung passt: Wählen Sie „Alle Fassungen“</translation>
</message>
<message>
<source>Takes to show</source>
<translation>Gezeigte Fassungen</translation>
</message>
<message>
<source>Order of takes</source>
<translation>Reihenfolge der Fassungen</translation>
</message>
<message>
<source>Close the takes ({key[takes.show]})</source>
<translation>Fassungen schließen ({key[takes.show]})</translation>
</message>
<message>
<source>Open the takes: all pieces and candidates so far ({key[takes.show]})</source>
<translation>Fassungen öffnen: alle bisherigen Stücke und Vorschläge ({key[takes.show]})</translation>
</message>
<message>
<source>{shown:,} of {total:,}</source>
<translation>{shown:,} von {total:,}</translation>
</message>
<message>
<source>Takes  ·  {shown}</source>
<translation>Fassungen  ·  {shown}</translation>
</message>
<message>
<source>Takes</source>
<translation>Fassungen</translation>
</message>
<message>
<source>Generate or rewrite: both models get the same request.</source>
<translation>Komponieren Sie oder schreiben Sie neu: Beide Modelle erhalten denselben Auftrag.</translation>
</message>
<message>
<source>{model} writes beside {other}</source>
<translation>{model} schreibt neben {other}</translation>
</message>
<message>
<source>your notes</source>
<translation>Ihre Noten</translation>
</message>
<message>
<source>B has no notes yet</source>
<translation>B hat noch keine Noten</translation>
</message>
<message>
<source>The pieces have different meters or pickups</source>
<translation>Die Stücke haben verschiedene Taktarten oder Auftakte</translation>
</message>
<message>
<source>Choose a second model under A/B first</source>
<translation>Wählen Sie zuerst unter A/B ein zweites Modell</translation>
</message>
<message>
<source>B has no piece yet: generate or rewrite with both models first</source>
<translation>B hat noch kein Stück: Komponieren oder schreiben Sie zuerst mit beiden Modellen</translation>
</message>
<message>
<source>Note input is on, where A and B are notes: leave it (Esc) first</source>
<translation>In der Noteneingabe sind A und B Noten: Verlassen Sie sie zuerst (Esc)</translation>
</message>
<message>
<source>The pieces do not differ</source>
<translation>Die Stücke sind gleich</translation>
</message>
<message>
<source>Took {bar} from B</source>
<translation>Aus B übernommen: {bar}</translation>
</message>
<message>
<source>The piece of B is the current one</source>
<translation>Das Stück von B ist das aktuelle</translation>
</message>
<message>
<source>Playing {side}: {model}</source>
<translation>{side} wird abgespielt: {model}</translation>
</message>
<message>
<source>Export differences</source>
<translation>Unterschiede exportieren</translation>
</message>
<message>
<source>{title}, {first} and {second}</source>
<translation>{title}, {first} und {second}</translation>
</message>
<message>
<source>Save both scores as PDF</source>
<translation>Beide Partituren als PDF speichern</translation>
</message>
<message>
<source>{agreement}. One piece each cannot show which model is better.</source>
<translation>{agreement}. Je ein Stück kann nicht zeigen, welches Modell besser ist.</translation>
</message>
<message>
<source>Piano roll of model B</source>
<translation>Pianorolle von Modell B</translation>
</message>
<message>
<source>Take {bar}</source>
<translation>Übernehmen: {bar}</translation>
</message>
<message>
<source>bar 1</source>
<translation>Takt 1</translation>
</message>
<message>
<source>More ▾</source>
<translation>Mehr ▾</translation>
</message>
<message>
<source>More about B</source>
<translation>Mehr zu B</translation>
</message>
<message>
<source>A note agrees if the other piece has one of the same voice, beginning, length and pitch; it is faint in both; click to move the playhead to the first difference</source>
<translation>Eine Note stimmt überein, wenn das andere Stück eine mit derselben Stimme, demselben Anfang, derselben Länge und Tonhöhe hat; sie ist in beiden blass; ein Klick setzt die Abspielmarke auf den ersten Unterschied</translation>
</message>
<message>
<source>Surprisal of each piece under both models: the mean of -ln p over the sixteenths of all voices</source>
<translation>Überraschung jedes Stücks für beide Modelle: das Mittel von −ln p über die Sechzehntel aller Stimmen</translation>
</message>
<message>
<source>Close the message</source>
<translation>Meldung schließen</translation>
</message>
<message>
<source>and {} more</source>
<translation>und {} weitere</translation>
</message>
<message>
<source>Cancel: {doing}</source>
<translation>Abbrechen: {doing}</translation>
</message>
<message>
<source>Message</source>
<translation>Meldung</translation>
</message>
<message>
<source>notes are chosen among all</source>
<translation>unter allen Noten wird gewählt</translation>
</message>
<message>
<source>notes are chosen among the likeliest, {share:.0%} of the probability together</source>
<translation>unter den wahrscheinlichsten Noten wird gewählt, zusammen {share:.0%} der Wahrscheinlichkeit</translation>
</message>
<message>
<source>The same seed and settings give the same notes</source>
<translation>Gleicher Startwert und gleiche Einstellungen ergeben die gleichen Noten</translation>
</message>
<message>
<source>New random seed ({key[new_seed]})</source>
<translation>Neuer zufälliger Startwert ({key[new_seed]})</translation>
</message>
<message>
<source>{name}: {value}. Double-click to reset</source>
<translation>{name}: {value}. Doppelklick setzt zurück</translation>
</message>
<message>
<source>Draft</source>
<translation>Entwurf</translation>
</message>
<message>
<source>Normal</source>
<translation>Normal</translation>
</message>
<message>
<source>High</source>
<translation>Hoch</translation>
</message>
<message>
<source>Temperature</source>
<translation>Temperatur</translation>
</message>
<message>
<source>{} (Ctrl+{})</source>
<translation>{} (Strg+{})</translation>
</message>
<message>
<source>Pages</source>
<translation>Seiten</translation>
</message>
<message>
<source>A line for each phrase
An empty line before the next verse

glo-ry  divides a word yourself
the~earth  puts two words on one note</source>
<translation>Eine Zeile je Phrase
Eine Leerzeile vor der nächsten Strophe

Herr-lich-keit  trennt ein Wort von Hand
die~ihr  setzt zwei Wörter auf eine Note</translation>
</message>
<message>
<source>Decides how words are divided into syllables</source>
<translation>Bestimmt, wie Wörter in Silben getrennt werden</translation>
</message>
<message>
<source>Czech</source>
<translation>Tschechisch</translation>
</message>
<message>
<source>Danish</source>
<translation>Dänisch</translation>
</message>
<message>
<source>Dutch</source>
<translation>Niederländisch</translation>
</message>
<message>
<source>English</source>
<translation>Englisch</translation>
</message>
<message>
<source>Finnish</source>
<translation>Finnisch</translation>
</message>
<message>
<source>French</source>
<translation>Französisch</translation>
</message>
<message>
<source>German</source>
<translation>Deutsch</translation>
</message>
<message>
<source>Hungarian</source>
<translation>Ungarisch</translation>
</message>
<message>
<source>Italian</source>
<translation>Italienisch</translation>
</message>
<message>
<source>Latin</source>
<translation>Latein</translation>
</message>
<message>
<source>Norwegian</source>
<translation>Norwegisch</translation>
</message>
<message>
<source>Polish</source>
<translation>Polnisch</translation>
</message>
<message>
<source>Portuguese</source>
<translation>Portugiesisch</translation>
</message>
<message>
<source>Spanish</source>
<translation>Spanisch</translation>
</message>
<message>
<source>Swedish</source>
<translation>Schwedisch</translation>
</message>
<message>
<source>Text</source>
<translation>Text</translation>
</message>
<message>
<source>Lines and their syllables</source>
<translation>Zeilen und ihre Silben</translation>
</message>
<message>
<source>Line</source>
<translation>Zeile</translation>
</message>
<message>
<source>Syllables</source>
<translation>Silben</translation>
</message>
<message>
<source>Metre: {metre}</source>
<translation>Versmaß: {metre}</translation>
</message>
<message>
<source>cannot read {path}: it grows while it is read; try again</source>
<translation>{path} lässt sich nicht lesen: Die Datei wächst beim Lesen; versuchen Sie es noch einmal</translation>
</message>
<message>
<source>cannot read {path}: it is a device or a pipe, expected a file</source>
<translation>{path} lässt sich nicht lesen: Es ist ein Gerät oder eine Pipe, erwartet wird eine Datei</translation>
</message>
<message>
<source>cannot read {path}: {why}</source>
<translation>{path} lässt sich nicht lesen: {why}</translation>
</message>
<message>
<source>it</source>
<translation>der Inhalt</translation>
</message>
<message>
<source>{what} is not valid JSON</source>
<translation>{what} ist kein gültiges JSON</translation>
</message>
<message>
<source>{what} has more than {n:,} values, too many to be read</source>
<translation>{what} hat mehr als {n:,} Werte, zu viele zum Lesen</translation>
</message>
<message>
<source>in line {line}, column {column}</source>
<translation>in Zeile {line}, Spalte {column}</translation>
</message>
<message>
<source>{what} is not valid TOML</source>
<translation>{what} ist kein gültiges TOML</translation>
</message>
<message>
<source>it is not UTF-8 text</source>
<translation>der Text ist nicht in UTF-8</translation>
</message>
<message>
<source>it is nested too deeply</source>
<translation>zu tief verschachtelt</translation>
</message>
<message>
<source>a number has too many digits</source>
<translation>eine Zahl hat zu viele Ziffern</translation>
</message>
<message>
<source>it decompresses to {size:,} bytes, more than {most:,}</source>
<translation>entpackt sind es {size:,} Byte, mehr als {most:,}</translation>
</message>
<message>
<source>it is an archive of an unknown method of compression</source>
<translation>es ist ein Archiv mit unbekannter Kompression</translation>
</message>
<message>
<source>it is an encrypted archive</source>
<translation>es ist ein verschlüsseltes Archiv</translation>
</message>
<message>
<source>it is a damaged archive</source>
<translation>es ist ein beschädigtes Archiv</translation>
</message>
<message>
<source>it is not a regular file (it is a link, folder, device or pipe)</source>
<translation>es ist keine gewöhnliche Datei (sondern eine Verknüpfung, ein Ordner, ein Gerät oder eine Pipe)</translation>
</message>
<message>
<source>it has another name (a hard link), under which it would be changed</source>
<translation>sie hat noch einen anderen Namen (einen Hardlink), unter dem sie auch geändert würde</translation>
</message>
<message>
<source>it is not valid JSON: {name} is not a JSON number</source>
<translation>der Inhalt ist kein gültiges JSON: {name} ist keine JSON-Zahl</translation>
</message>
<message>
<source>{where}: {name} lacks {entry!r}</source>
<translation>{where}: {name} enthält kein {entry!r}</translation>
</message>
<message>
<source>another value ({problem})</source>
<translation>ein anderer Wert ({problem})</translation>
</message>
<message>
<source>a whole number</source>
<translation>eine ganze Zahl</translation>
</message>
<message>
<source>a number</source>
<translation>eine Zahl</translation>
</message>
<message>
<source>a text</source>
<translation>ein Text</translation>
</message>
<message>
<source>true or false</source>
<translation>true oder false</translation>
</message>
<message>
<source>a list</source>
<translation>eine Liste</translation>
</message>
<message>
<source>a table</source>
<translation>eine Tabelle</translation>
</message>
<message>
<source>nothing</source>
<translation>nichts</translation>
</message>
<message>
<source> or </source>
<translation> oder </translation>
</message>
<message>
<source>{name} has unknown entry {key!r}: it takes {known}</source>
<translation>{name} hat den unbekannten Eintrag {key!r}: möglich sind {known}</translation>
</message>
</context>
</TS>
