// expect: safe(assuming argc is 1)
// options: -- -DCONDITION=(argc>1&&argv[1][0]==120)
// says: assumed: main gets no arguments: argc is 1
// expect: safe(assuming argc is 1)
// options: -- -DCONDITION=(argc>1&&!argv[1])
// says: assumed: main gets no arguments: argc is 1
// expect: safe
// options: -- -DCONDITION=(argc<0)
// expect: unsafe(interpreted)
// options: -- -DCONDITION=(argc==3)
//
// Who looks at arguments has none but the program's name, and a verdict says so.
#include "../attest.h"

int main(int argc, char **argv) {
  if (CONDITION) reach_error();
  return 0;
}
