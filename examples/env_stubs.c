/* What the sensor of env.c may answer: anything above absolute zero. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int read_sensor(int channel) {
  int celsius = __VERIFIER_nondet_int();
  (void)channel;
  __VERIFIER_assume(celsius > -274);
  return celsius;
}
