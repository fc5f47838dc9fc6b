/* expected: safe; of the rule examples/meter.slic unsafe, and safe with -DFIXED
 *
 * A meter that must be switched off again.
 */

extern int __VERIFIER_nondet_int(void);

static int value;

void meter_on(void) { value = __VERIFIER_nondet_int(); }

void meter_off(void) { value = 0; }

int meter_read(void) { return value; }

/* The sum of some readings; a meter in trouble answers below 0. */
static int sample(int readings) {
    int sum = 0;
    meter_on();
    for (int i = 0; i < readings; i++) {
        int reading = meter_read();
        if (reading < 0) {
#ifdef FIXED
            meter_off();
#endif
            return -1;
        }
        sum += reading;
    }
    meter_off();
    return sum;
}

int main(void) {
    int readings = __VERIFIER_nondet_int();
    return sample(readings) < 0;
}
