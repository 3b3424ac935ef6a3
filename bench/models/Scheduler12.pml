/* The twin of Scheduler12.mch: 0 unknown, 1 waiting, 2 ready, 3 active. */
byte is[12];
byte active_one = 12;
byte readies;

#define P(i) \
  :: d_step { is[i] == 0 -> is[i] = 1 } \
  :: d_step { is[i] == 1 -> is[i] = 0 } \
  :: d_step { is[i] == 1 -> \
       if :: active_one == 12 -> is[i] = 3; active_one = i \
          :: else -> is[i] = 2; readies++ fi } \
  :: d_step { is[i] == 2 -> is[active_one] = 1; is[i] = 3; active_one = i; readies-- }

active proctype scheduler() {
  do
  P(0) P(1) P(2) P(3) P(4) P(5) P(6) P(7) P(8) P(9) P(10) P(11)
  :: d_step { active_one < 12 && readies == 0 -> is[active_one] = 1; active_one = 12 }
  od
}
