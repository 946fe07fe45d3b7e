#pragma once
// Room for the WAL to grow into. A commit that makes the file longer waits until its new length is on the
// disk too, which about doubles the wait; so zeros are laid down ahead of the frames, many commits' worth at
// once. SQLite takes zeros for no frames, since their salt is not the WAL's (file format, «WAL file format»).

struct sqlite3;

namespace ledger {

class WalRoom {
 public:
  // Whether the commits after this many frames will soon make the file longer.
  bool short_after(int frames) const { return frames > frames_max_ - frames_ahead; }
  // In a transaction that writes, so that nobody else adds frames or begins the WAL anew. Without effect when
  // the disk has no room: then commits make their own, or fail.
  void make(sqlite3* database, int frames);

 private:
  static constexpr int frames_ahead = 64;
  int frames_max_ = 0;  // that fit into the file as it was when last asked
};

}  // namespace ledger
