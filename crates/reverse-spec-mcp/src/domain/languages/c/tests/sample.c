#include <stdio.h>
#define LIMIT 10
#define TWICE(x) ((x) * 2)

/** A point. */
struct point {
    int x, y;
    const char *name;
};

typedef struct { int size; } box_t;
typedef int (*handler)(int);
enum color { RED, GREEN = 5 };
union value { int number; float part; };

static int counter = 0;
extern const char *names[];

int area(const struct point *p, int scale);

/* Not documentation. */
static char *
make(int count)
{
    int local = count;
    int inner(int a);
    return 0;
}
