/* The twin of TokenRing16.mch. */
bit wants[16];
byte token;
bit inside;

#define REQUEST(i) d_step { wants[i] == 0 -> wants[i] = 1 }

active proctype ring() {
  do
  :: REQUEST(0) :: REQUEST(1) :: REQUEST(2) :: REQUEST(3)
  :: REQUEST(4) :: REQUEST(5) :: REQUEST(6) :: REQUEST(7)
  :: REQUEST(8) :: REQUEST(9) :: REQUEST(10) :: REQUEST(11)
  :: REQUEST(12) :: REQUEST(13) :: REQUEST(14) :: REQUEST(15)
  :: d_step { inside == 0 && wants[token] == 0 -> token = (token + 1) % 16 }
  :: d_step { inside == 0 && wants[token] == 1 -> inside = 1 }
  :: d_step { inside == 1 -> inside = 0; wants[token] = 0; token = (token + 1) % 16 }
  od
}
