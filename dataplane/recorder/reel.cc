#include "dataplane/recorder/reel.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace sluice {

namespace {

// The longest recording, as a multiple of `after`: each further trigger prolongs the recording.
constexpr int64_t most_extended = 10;

template <class Word>
Word clamped(uint64_t value) {
    return static_cast<Word>(std::min<uint64_t>(value, std::numeric_limits<Word>::max()));
}

// Returns the input of `inputs` that follows `input`, in turn.
InputIndex behind(InputIndex input, InputSet inputs) {
    assert(inputs != 0);
    const InputSet later = inputs & ~(first_ports(input.number) | only(input));
    return {first_of(later != 0 ? later : inputs)};
}

uint64_t nanos(Nanos span) { return static_cast<uint64_t>(span.count()); }

}  // namespace

Reel::Reel(const RecorderSettings& settings, TriggerBoard& board, std::size_t inputs,
           std::size_t outputs)
    : settings_(settings),
      depth_level_(settings.has(RecordCause::depth) ? static_cast<uint64_t>(settings.depth.count())
                                                    : UINT64_MAX),
      board_(board),
      outputs_(outputs),
      capacity_(settings.entries()),
      entries_(capacity_ * RecorderSettings::parts),
      paths_(inputs * outputs * max_priorities),
      queues_(outputs * max_priorities),
      groups_(inputs * max_priorities),
      held_(outputs * max_priorities),
      round_(board.round()) {
    for (uint32_t part = 1; part < RecorderSettings::parts; ++part) free_.push(part);
}

// --- a sample ------------------------------------------------------------------------------------

void Reel::begin(Nanos now) {
    assert(now >= last_);
    now_ = now;
    // The factor 3/4 ensures that every poll is sampled if polls are nearly a period apart.
    next_ = now + settings_.period * 3 / 4;
    const uint64_t distance = last_.count() < 0 ? 0 : nanos(now - last_);
    longest_.raise_to(distance);
    longest_since_ = std::max(longest_since_, clamped<uint32_t>(distance));
    samples_.add(1);
    of_sample_ = 0;
    sample_ = nullptr;
    is_missing_ = false;
    if (part_ == no_part) take_free();
    shows_all_ = written_ == 0 || written_ - shown_all_at_ >= capacity_ / 8;
    if (shows_all_) shown_all_at_ = written_;
    for_each_port(active_, [&](PortIndex port) {
        came_before_[port] = came_at_[port];
        came_at_[port] = now;
    });
    const uint32_t round = board_.round();
    if (TriggerBoard::is_recording(round) && round != round_) begin_recording(round);
    if (wanted_.load(std::memory_order_relaxed)) [[unlikely]] {
        wanted_.store(false);
        fire(RecordCause::hand, RecordTrigger::unknown, RecordTrigger::unknown, 0);
    }
}

void Reel::see(InputIndex input, QueueKey path, const Path& found) {
    SeenPath& before = seen(input, path);
    const bool is_first = before.at.count() < 0;
    const auto octets = clamped<uint32_t>(found.octets);
    // Modulo 2^32, like the previous counts. At the first sample of a path only the queued frames
    // count as received.
    const uint32_t came = is_first ? clamped<uint32_t>(found.frames)
                                   : static_cast<uint32_t>(found.came) - before.came;
    const uint32_t dropped = is_first ? 0 : static_cast<uint32_t>(found.dropped) - before.dropped;
    const uint32_t marked = is_first ? 0 : static_cast<uint32_t>(found.marked) - before.marked;
    const bool is_new = octets != before.octets || (came | dropped | marked) != 0;
    dropped_by_paths_[input.number] += dropped;
    if (is_new || (shows_all_ && octets != 0)) {
        RecordEntry* const entry = write(RecordKind::path);
        if (entry == nullptr) return;
        entry->octets = octets;
        entry->since = is_first ? 0 : counted_over(input, before.at);
        entry->frames = clamped<uint16_t>(found.frames);
        entry->came = clamped<uint16_t>(came);
        entry->dropped = clamped<uint16_t>(dropped);
        entry->marked = clamped<uint16_t>(marked);
        entry->input = input.number;
        entry->output = path.output;
        entry->priority = path.priority;
    }
    before = {.at = now_,
              .octets = octets,
              .came = static_cast<uint32_t>(found.came),
              .dropped = static_cast<uint32_t>(found.dropped),
              .marked = static_cast<uint32_t>(found.marked)};
    InputSet& held = held_[index(path)];
    held = octets != 0 ? held | only(input) : held & ~only(input);
    note_held(path);
    if (dropped != 0) [[unlikely]]
        fire(RecordCause::drop, path.output, path.priority, dropped);
}

void Reel::see(QueueKey queue, const Queue& found) {
    SeenQueue& before = queues_[index(queue)];
    const auto octets = clamped<uint32_t>(found.octets);
    const uint32_t left = found.left - before.left;
    const bool is_new = octets != before.octets || found.is_paused != before.is_paused;
    if (is_new || (octets != 0 && left != 0) || (shows_all_ && (octets != 0 || found.is_paused))) {
        RecordEntry* const entry = write(RecordKind::queue);
        if (entry == nullptr) return;
        entry->octets = octets;
        entry->since = 0;
        entry->frames = clamped<uint16_t>(found.frames);
        entry->came = clamped<uint16_t>(left);
        entry->output = queue.output;
        entry->priority = queue.priority;
        entry->is_paused = found.is_paused ? 1 : 0;
    }
    before = {.octets = octets, .left = found.left, .is_paused = found.is_paused};
    const PrioritySet bit = only_priority(queue.priority);
    PrioritySet& paused = paused_[queue.output];
    paused = static_cast<PrioritySet>(found.is_paused ? paused | bit : paused & ~bit);
    note_held(queue);
}

void Reel::see(InputIndex input, Priority priority, const Group& found) {
    SeenGroup& before = groups_[std::size_t{input.number} * max_priorities + priority];
    const auto octets = clamped<uint32_t>(found.octets);
    const auto headroom = clamped<uint32_t>(found.headroom);
    const uint32_t xoffs = static_cast<uint32_t>(found.xoffs) - before.xoffs;
    const bool is_held = (octets | headroom) != 0 || found.is_pausing;
    const bool is_new = octets != before.octets || headroom != before.headroom || xoffs != 0 ||
                        found.is_pausing != before.is_pausing;
    if (is_new || (shows_all_ && is_held)) {
        RecordEntry* const entry = write(RecordKind::group);
        if (entry == nullptr) return;
        entry->octets = octets;
        entry->headroom = headroom;
        entry->came = clamped<uint16_t>(xoffs);
        entry->input = input.number;
        entry->priority = priority;
        entry->is_paused = found.is_pausing ? 1 : 0;
    }
    const bool begins = found.is_pausing && !before.is_pausing;
    before = {.octets = octets,
              .headroom = headroom,
              .xoffs = static_cast<uint32_t>(found.xoffs),
              .is_pausing = found.is_pausing};
    PrioritySet& held = group_priorities_[input.number];
    const PrioritySet bit = only_priority(priority);
    held = static_cast<PrioritySet>(is_held ? held | bit : held & ~bit);
    groups_held_ = held != 0 ? groups_held_ | only(input) : groups_held_ & ~only(input);
    if (begins) [[unlikely]]
        fire(RecordCause::xoff, input.number, priority, octets);
}

void Reel::see_storms(PortIndex output, PrioritySet storms) {
    const auto begun = static_cast<PrioritySet>(storms & ~storms_[output]);
    storms_[output] = storms;
    if (begun != 0) fire(RecordCause::watchdog, output, first_of(begun), 0);
}

void Reel::fire(RecordCause cause, PortIndex port, Priority priority, uint64_t value) {
    if (!settings_.has(cause) && cause != RecordCause::hand) return;
    if (is_recording_) {
        ends_ = std::min(now_ + settings_.after, longest_end_);
        return;
    }
    if (part_ == no_part) return;
    const uint32_t round = board_.round();
    if (!board_.begin(round)) return;  // another worker began a recording; the next sample joins it
    begin_recording(round + 1);
    trigger_ = RecordTrigger{now_, cause, port, priority, value};
}

void Reel::end() {
    last_ = now_;
    active_ = 0;
    if (part_ == no_part) return lost_.add(1);
    if (sample_ == nullptr) {
        ++unchanged_;
    } else {
        sample_->is_paused = is_missing_ ? 1 : 0;
        unchanged_ = 0;
        longest_since_ = 0;
    }
    if (!is_recording_) return;
    if (now_ >= ends_ || written_ - written_then_ >= capacity_ / 2) hand_over();
}

bool Reel::has_more_drops(InputIndex input, uint64_t total) {
    uint64_t& before = dropped_[input.number];
    const uint64_t more = total - before;
    const uint32_t by_paths = dropped_by_paths_[input.number];
    before = total;
    dropped_by_paths_[input.number] = 0;
    return more > by_paths;
}

bool Reel::has_news(InputIndex input, QueueKey path, uint64_t came) {
    SeenPath& before = seen(input, path);
    if (before.at == now_) return false;
    if (before.at.count() < 0 || static_cast<uint32_t>(came) != before.came) return true;
    if (before.octets != 0) return true;
    before.at = now_;
    return false;
}

// Only a port's first lane is marked active; frames of other lanes may have arrived at any time
// since `at`.
uint32_t Reel::counted_over(InputIndex input, Nanos at) const {
    const bool is_of_now = came_at_[input.number] == now_ && came_before_[input.number] <= at;
    return clamped<uint32_t>(nanos(now_ - (is_of_now ? std::max(at, last_) : at)));
}

Reel::Pair Reel::next_pair(InputSet inputs) {
    if ((inputs & only(next_pair_.input)) == 0) next_pair_ = {InputIndex(first_of(inputs)), 0};
    const Pair pair = next_pair_;
    if (++next_pair_.output < outputs_) return pair;
    next_pair_ = {behind(pair.input, inputs), 0};
    return pair;
}

InputIndex Reel::next_input(InputSet inputs) { return next_input_ = behind(next_input_, inputs); }

// --- parts ---------------------------------------------------------------------------------------

RecordEntry* Reel::place() {
    assert(part_ < RecorderSettings::parts && of_sample_ < most_of_a_sample);
    ++of_sample_;
    RecordEntry* const entry = &entries_[part_ * capacity_ + (written_++ & (capacity_ - 1))];
    *entry = {};
    entry->time = now_;
    return entry;
}

RecordEntry* Reel::write(RecordKind kind) {
    if (part_ == no_part || of_sample_ + 2 > most_of_a_sample) {
        is_missing_ = true;
        return nullptr;
    }
    if (sample_ == nullptr) {
        sample_ = place();
        sample_->kind = RecordKind::sample;
        sample_->distance = last_.count() < 0 ? 0 : clamped<uint32_t>(nanos(now_ - last_));
        sample_->longest = longest_since_;
        sample_->frames = clamped<uint16_t>(unchanged_);
        sample_->came = shows_all_ ? 1 : 0;
    }
    RecordEntry* const entry = place();
    entry->kind = kind;
    return entry;
}

void Reel::note_held(QueueKey queue) {
    const bool is_held = held_[index(queue)] != 0 || queues_[index(queue)].octets != 0;
    PrioritySet& held = held_priorities_[queue.output];
    const PrioritySet bit = only_priority(queue.priority);
    held = static_cast<PrioritySet>(is_held ? held | bit : held & ~bit);
    outputs_held_ =
        held != 0 ? outputs_held_ | only(queue.output) : outputs_held_ & ~only(queue.output);
}

void Reel::begin_recording(uint32_t round) {
    round_ = round;
    if (part_ == no_part) return board_.done();
    is_recording_ = true;
    ends_ = now_ + settings_.after;
    longest_end_ = now_ + settings_.after * most_extended;
    written_then_ = written_;
}

void Reel::hand_over() {
    assert(is_recording_ && part_ != no_part && written_then_ <= written_);
    [[maybe_unused]] const bool has_place = finished_.push(
        {.part = part_, .round = round_, .trigger = trigger_, .end = now_, .written = written_});
    assert(has_place && "the ring holds as many as there are parts");
    trigger_.reset();
    is_recording_ = false;
    board_.done();
    take_free();
}

void Reel::take_free() {
    part_ = no_part;
    const uint32_t* const part = free_.front();
    if (part == nullptr) return;
    assert(*part < RecorderSettings::parts);
    part_ = *part;
    free_.pop();
    written_ = 0;
    shown_all_at_ = 0;
    unchanged_ = 0;
}

// --- called by control ---------------------------------------------------------------------------

Reel::Entries Reel::entries_of(const Finished& part) const {
    assert(part.part < RecorderSettings::parts);
    const std::span<const RecordEntry> all(&entries_[part.part * capacity_], capacity_);
    if (part.written <= capacity_) return {all.first(part.written), {}};
    const std::size_t oldest = part.written & (capacity_ - 1);
    return {all.subspan(oldest), all.first(oldest)};
}

void Reel::give_back() {
    assert(finished_.front() != nullptr);
    const uint32_t part = finished_.front()->part;
    finished_.pop();
    [[maybe_unused]] const bool has_place = free_.push(part);
    assert(has_place);
}

}  // namespace sluice
