/* Decoding reduced to its arithmetic: matrix products, normalisation, attention with a cache and an
   optional relative term, softmax, sampling. The weights are random. Nothing else is done for a
   token, so the speed of this loop is a bound for decoding on one thread. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATE __attribute__((noinline))

typedef struct {
    int width, layers, feedforward, heads, tokens, relative, vocabulary;
    uint32_t random;
    float *embedding;  /* vocabulary x width; also the head */
    float *weights;    /* layers x (q, k, v, out: 4 width x width; feedforward: 2 x ...) */
    float *keys, *values, *distances;  /* layers x heads x tokens x head width */
    float *x, *normed, *qkv, *hidden, *attended, *scores, *by_distance, *logits;
} Loop;

static float uniform(Loop *loop) {
    loop->random = loop->random * 1664525u + 1013904223u;
    return (float)(loop->random >> 8) * (1.0f / 16777216.0f);
}

static float *array(size_t count) { return calloc(count, sizeof(float)); }

static float *random_array(Loop *loop, size_t count) {
    float *made = array(count);
    for (size_t i = 0; made && i < count; i++) made[i] = 0.1f * (uniform(loop) - 0.5f);
    return made;
}

/* out[r] = matrix[r] . vector */
SEPARATE static void product(float *restrict out, const float *restrict matrix,
                             const float *restrict vector, int rows, int columns) {
    for (int r = 0; r < rows; r++, matrix += columns) {
        float total = 0.0f;
        for (int c = 0; c < columns; c++) total += matrix[c] * vector[c];
        out[r] = total;
    }
}

SEPARATE static void add(float *restrict out, const float *restrict more, int count) {
    for (int i = 0; i < count; i++) out[i] += more[i];
}

SEPARATE static void normalise(float *restrict out, const float *restrict in, int count) {
    float squares = 0.0f;
    for (int i = 0; i < count; i++) squares += in[i] * in[i];
    const float scale = 1.0f / sqrtf(squares / (float)count + 1e-5f);
    for (int i = 0; i < count; i++) out[i] = in[i] * scale;
}

SEPARATE static void softmax(float *scores, int count) {
    float largest = scores[0], total = 0.0f;
    for (int i = 1; i < count; i++) largest = scores[i] > largest ? scores[i] : largest;
    for (int i = 0; i < count; i++) {
        scores[i] = expf(scores[i] - largest);
        total += scores[i];
    }
    const float scale = 1.0f / total;
    for (int i = 0; i < count; i++) scores[i] *= scale;
}

SEPARATE static void mix(float *restrict out, const float *restrict values,
                         const float *restrict shares, int keys, int columns) {
    memset(out, 0, (size_t)columns * sizeof(float));
    for (int k = 0; k < keys; k++, values += columns)
        for (int c = 0; c < columns; c++) out[c] += shares[k] * values[c];
}

SEPARATE static void activate(float *hidden, int count) {
    for (int i = 0; i < count; i++) hidden[i] /= 1.0f + expf(-1.702f * hidden[i]);
}

static void attend(Loop *loop, int layer, int place) {
    const int width = loop->width, columns = width / loop->heads, keys = place + 1;
    for (int head = 0; head < loop->heads; head++) {
        const size_t first = ((size_t)layer * loop->heads + head) * loop->tokens * columns;
        const size_t newest = first + (size_t)place * columns, bytes = columns * sizeof(float);
        const float *query = loop->qkv + head * columns;
        memcpy(loop->keys + newest, query + width, bytes);
        memcpy(loop->values + newest, query + 2 * width, bytes);
        product(loop->scores, loop->keys + first, query, keys, columns);
        if (loop->relative) {
            const size_t farthest = first + (size_t)(loop->tokens - keys) * columns;
            product(loop->by_distance, loop->distances + farthest, query, keys, columns);
            add(loop->scores, loop->by_distance, keys);
        }
        softmax(loop->scores, keys);
        mix(loop->attended + head * columns, loop->values + first, loop->scores, keys, columns);
    }
}

static int sample(Loop *loop) {
    const float chosen = uniform(loop);
    float total = 0.0f;
    for (int token = 0; token < loop->vocabulary; token++) {
        total += loop->logits[token];
        if (total > chosen) return token;
    }
    return loop->vocabulary - 1;
}

static int step(Loop *loop, int token, int place) {
    const int width = loop->width, wide = loop->feedforward;
    const size_t square = (size_t)width * width;
    const float *weights = loop->weights;
    memcpy(loop->x, loop->embedding + (size_t)token * width, width * sizeof(float));
    for (int layer = 0; layer < loop->layers; layer++) {
        normalise(loop->normed, loop->x, width);
        product(loop->qkv, weights, loop->normed, 3 * width, width);
        attend(loop, layer, place);
        product(loop->normed, weights + 3 * square, loop->attended, width, width);
        add(loop->x, loop->normed, width);
        normalise(loop->normed, loop->x, width);
        weights += 4 * square;
        product(loop->hidden, weights, loop->normed, wide, width);
        activate(loop->hidden, wide);
        weights += (size_t)wide * width;
        product(loop->normed, weights, loop->hidden, width, wide);
        add(loop->x, loop->normed, width);
        weights += (size_t)wide * width;
    }
    normalise(loop->normed, loop->x, width);
    product(loop->logits, loop->embedding, loop->normed, loop->vocabulary, width);
    softmax(loop->logits, loop->vocabulary);
    return sample(loop);
}

/* Free a loop, also one whose allocation failed. */
void bare_loop_free(Loop *loop) {
    if (!loop) return;
    float *const arrays[] = {loop->embedding, loop->weights, loop->keys, loop->values,
                             loop->distances, loop->x, loop->normed, loop->qkv, loop->hidden,
                             loop->attended, loop->scores, loop->by_distance, loop->logits};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(loop);
}

/* Return a loop with random weights, NULL where memory is too small. */
Loop *bare_loop_new(int width, int layers, int feedforward, int heads, int tokens, int relative,
                    int vocabulary) {
    Loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    *loop = (Loop){.width = width, .layers = layers, .feedforward = feedforward, .heads = heads,
                   .tokens = tokens, .relative = relative, .vocabulary = vocabulary, .random = 1u};
    const size_t layer = 4 * (size_t)width * width + 2 * (size_t)width * feedforward;
    const size_t cache = (size_t)layers * tokens * width;
    loop->embedding = random_array(loop, (size_t)vocabulary * width);
    loop->weights = random_array(loop, layers * layer);
    loop->keys = array(cache);
    loop->values = array(cache);
    loop->distances = random_array(loop, relative ? cache : 1);
    loop->x = array(width);
    loop->normed = array(width);
    loop->qkv = array(3 * (size_t)width);
    loop->hidden = array(feedforward);
    loop->attended = array(width);
    loop->scores = array(tokens);
    loop->by_distance = array(tokens);
    loop->logits = array(vocabulary);
    if (loop->embedding && loop->weights && loop->keys && loop->values && loop->distances && loop->x
        && loop->normed && loop->qkv && loop->hidden && loop->attended && loop->scores
        && loop->by_distance && loop->logits)
        return loop;
    bare_loop_free(loop);
    return NULL;
}

/* Decode a sequence from its first token on; return its last token. */
int bare_loop_decode(Loop *loop) {
    int token = 1;
    for (int place = 0; place < loop->tokens; place++) token = step(loop, token, place);
    return token;
}
