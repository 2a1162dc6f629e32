// A functional simulation of an FPGA: processing elements as threads, streams as bounded queues, deadlocks found and reported as a
// cycle of waits. `hls::stream` stands for the vendor's.
#pragma once

#include <pthread.h>

#include "hls_memory.h"

namespace sluice::hls {

/// What a thread is ended by whose kernel stands still.
struct Stopped {};

class Elements;
/// A queue as whoever looks for a deadlock sees it.
class Queue {
public:
    const char* name = "a stream";
    int place = -1;                     ///< In an array of streams.
    int users[2] = {-1, -1};            ///< The elements that have an end.
    Queue* next = nullptr;              ///< Of the launch's.
    int64_t waiting = 0, capacity = 0;  ///< Elements.
    bool admits(bool push) const { return push ? waiting < capacity : waiting > 0; }
    int other(int element) const { return users[0] == element && users[1] >= 0 ? users[1] : users[0]; }
};

/// The processing elements of one launch.
class Elements {
public:
    /// `channels`: streams outlive the launch, which is alone as long as it runs.
    explicit Elements(const char* kernel, bool channels = false) : kernel_(kernel), channels_(channels) {
        if (channels_) pthread_mutex_lock(&alone_);
        pthread_mutex_init(&lock_, nullptr);
        pthread_cond_init(&changed_, nullptr);
        outer_ = current;
        current = this;
    }
    Elements(const Elements&) = delete;
    ~Elements() {
        current = outer_;
        for (int at = 0; at < count_; ++at) __builtin_free(elements_[at].call);
        pthread_cond_destroy(&changed_);
        pthread_mutex_destroy(&lock_);
        for (; channels_ && queues_; queues_ = queues_->next) queues_->users[0] = queues_->users[1] = -1, queues_->waiting = 0;
        if (channels_) pthread_mutex_unlock(&alone_);
    }
    /// Notes the channels of which the element that starts next has an end.
    template <class... Channels> void joins(Channels&... channels) { (note(channels), ...); }
    /// Notes an element and the streams among its arguments; it runs in join.
    template <class... Parameters, class... Arguments>
    void start(const char* name, void (*function)(Parameters...), Arguments&&... arguments) {
        if (count_ == kMost) offload::fail("the kernel `%s` has more than %d processing elements", kernel_, kMost);
        (note(arguments), ...);
        auto body = [function, &arguments...] { function(arguments...); };
        using Body = decltype(body);
        void* const place = __builtin_malloc(sizeof(Body) + 64);
        if (!place) throw Failure{kOutOfMemory};
        new (place, AtPlace{}) Body(body);
        elements_[count_++] = {this, name, place, [](void* call) { (*static_cast<Body*>(call))(); }, {}, nullptr, false, false};
    }
    void join() {
        live_ = count_;
        int started = 0;
        while (started < count_ && pthread_create(&elements_[started].thread, nullptr, run, &elements_[started]) == 0) ++started;
        if (started < count_) stop();
        for (int at = 0; at < started; ++at) pthread_join(elements_[at].thread, nullptr);
        if (started < count_) offload::fail("the simulation of `%s` has no threads for %d processing elements", kernel_, count_);
        if (stopped_) {
            __builtin_memcpy(kept_, sentence_, sizeof kept_);
            throw Failure{kStreamDeadlock, {kept_}};
        }
        offload::count(done.elements, count_);
        for (const Queue* queue = queues_; channels_ && queue; queue = queue->next)
            if (queue->waiting > 0)
                offload::fail("the kernel `%s` ends with %lld elements in `%s`, a channel, which keeps them for the next launch",
                              kernel_, static_cast<long long>(queue->waiting), queue->name);
    }

    // ---- of a stream ----
    void lock() { pthread_mutex_lock(&lock_); }
    void unlock() { pthread_mutex_unlock(&lock_); }
    /// The lock is held before and behind.
    void wait(Queue& queue, bool push) {
        Element& mine = *running;
        mine.waits = &queue;
        mine.pushes = push;
        while (!queue.admits(push)) {
            if (!stopped_ && stands_still()) tell(mine);
            if (stopped_) {
                unlock();
                throw Stopped{};
            }
            pthread_cond_wait(&changed_, &lock_);
        }
        mine.waits = nullptr;
    }
    void change() { pthread_cond_broadcast(&changed_); }

    static inline thread_local Elements* current = nullptr;

private:
    static constexpr int kMost = 1024;
    struct Element {
        Elements* all;
        const char* name;
        void* call;
        void (*invoke)(void*);
        pthread_t thread;
        Queue* waits;
        bool pushes, ended;
    };
    static inline thread_local Element* running = nullptr;

    void note_queue(Queue& queue) {
        if (queue.users[0] < 0) queue.next = queues_, queues_ = &queue;
        if (queue.users[0] < 0 || queue.users[0] == count_)
            queue.users[0] = count_;
        else
            queue.users[1] = count_;
    }
    template <class T, size_t count> void note(T (&queues)[count]) {
        for (T& queue : queues) note(queue);
    }
    template <class T> void note(T& argument) {
        if constexpr (__is_base_of(Queue, T)) note_queue(argument);
    }

    static void* run(void* at) {
        auto& element = *static_cast<Element*>(at);
        current = element.all;
        running = &element;
        reads = writes = 0;
        try {
            element.invoke(element.call);
        } catch (const Stopped&) {
        }
        offload::count(done.off_chip_reads, reads);
        offload::count(done.off_chip_writes, writes);
        element.all->end(element);
        return nullptr;
    }
    void end(Element& element) {
        lock();
        element.ended = true;
        --live_;
        if (!stopped_ && live_ > 0 && stands_still()) tell(first_waiting());
        unlock();
        change();
    }
    void stop() {
        lock();
        stopped_ = true;
        unlock();
        change();
    }
    bool stands_still() const {
        int still = 0;
        for (int at = 0; at < count_; ++at) {
            const Element& one = elements_[at];
            still += !one.ended && one.waits && !one.waits->admits(one.pushes);
        }
        return still == live_;
    }
    Element& first_waiting() {
        int at = 0;
        while (at + 1 < count_ && (elements_[at].ended || !elements_[at].waits)) ++at;
        return elements_[at];
    }
    /// Follows who waits for whom until somebody comes again, or has ended.
    void tell(const Element& from) {
        stopped_ = true;
        int way[kMost], length = 0, at = int(&from - elements_), first = -1;
        while (first < 0) {
            way[length++] = at;
            const int next = elements_[at].waits->other(at);
            if (next < 0 || elements_[next].ended || !elements_[next].waits) break;
            for (int k = 0; k < length; ++k)
                if (way[k] == next) first = k;
            at = next;
        }
        const bool cycle = first >= 0;
        if (!cycle) first = length - 1;
        int used = 0;
        const auto add = [&](const char* format, auto... values) {
            const int written = __builtin_snprintf(sentence_ + used, sizeof sentence_ - size_t(used), format, values...);
            used = written < 0 || used + written >= int(sizeof sentence_) ? int(sizeof sentence_) - 1 : used + written;
        };
        add("%s", cycle ? "processing elements wait for each other: " : "a processing element waits for one that has ended: ");
        for (int k = first; k < length; ++k) {
            const Element& one = elements_[way[k]];
            const int next = one.waits->other(way[k]);
            add("%s`%s` waits for %s `%s", k > first ? "; " : "", one.name, one.pushes ? "room in" : "an element of",
                one.waits->name);
            if (one.waits->place >= 0) add("[%d]", one.waits->place);
            add("`, which `%s` %s", next < 0 ? "nobody" : elements_[next].name, one.pushes ? "empties" : "fills");
        }
        change();
    }

    static inline pthread_mutex_t alone_ = PTHREAD_MUTEX_INITIALIZER;
    const char* kernel_;
    const bool channels_;
    Queue* queues_ = nullptr;
    pthread_mutex_t lock_;
    pthread_cond_t changed_;
    Elements* outer_;
    Element elements_[kMost];
    int count_ = 0, live_ = 0;
    bool stopped_ = false;
    /// Outlives this, with the failure.
    static inline thread_local char kept_[2048];
    char sentence_[2048] = "";
};

/// Streams of an array by their places.
template <class Stream, size_t count> void name_all(Stream (&streams)[count], const char* name) {
    for (size_t at = 0; at < count; ++at) streams[at].Queue::name = name, streams[at].place = int(at);
}

}  // namespace sluice::hls

namespace hls {

/// A queue of at most `depth` elements with one producer and one consumer.
template <class T, int depth = 2> class stream : public sluice::hls::Queue {
public:
    explicit stream(const char* called = "a stream") {
        name = called;
        capacity = depth;
    }
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;

    void write(const T& value) {
        sluice::hls::Elements& all = *sluice::hls::Elements::current;
        all.lock();
        if (!admits(true)) all.wait(*this, true);
        ring_[(first_ + waiting) % depth] = value;
        ++waiting;
        all.unlock();
        all.change();
    }
    T read() {
        sluice::hls::Elements& all = *sluice::hls::Elements::current;
        all.lock();
        if (!admits(false)) all.wait(*this, false);
        const T value = ring_[first_];
        first_ = (first_ + 1) % depth;
        --waiting;
        all.unlock();
        all.change();
        return value;
    }

private:
    int64_t first_ = 0;
    T ring_[depth];
};

}  // namespace hls
