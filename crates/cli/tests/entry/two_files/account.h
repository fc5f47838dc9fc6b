struct account;
int balance(struct account *a);
void add(struct account *a, int amount);
void reach_error(void);
