import { GraphQLError } from 'graphql/error'

import { everySeconds } from '../../lib/ticker.ts'
import { type Bus, longestMessage } from '../../stores/bus.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { Principal } from '../principal.ts'
import type { Outgoing } from '../processes/broadcast.ts'
import type { ExchangeFilter } from '../processes/exchange-filter.ts'
import {
  type AnswerMessage,
  type BusMessage,
  type CommandMessage,
  isEventMessage,
  isForAnother,
  readMessage,
  writeMessage,
} from '../processes/messages.ts'
import {
  type LiveTopic,
  type Missed,
  type ProcessEvent,
  liveTopics,
  recordTopics,
  topicOf,
} from './events.ts'
import { Subscriber } from './subscriber.ts'

/** The subscribers of one process. The streams of one token or user are fewer, see `AdminLimits`. */
const mostSubscribers = 32

/** The time between two greetings on the bus, in seconds, and how long each counts, in milliseconds. */
const helloSeconds = 2
const interestMs = 7_000

/** The topics whose events processes send each other. An earlier version takes no greeting with another topic. */
const sentTopics = liveTopics.filter((topic) => !recordTopics.some((one) => one === topic))

/** Processes that are known by their messages. */
const mostSenders = 1_000

/** Hands events to the subscribers of this process and of the others, and carries their commands. */
export interface Hub {
  /** Whether any subscriber of any process wants a topic. */
  readonly wanted: Readonly<Record<LiveTopic, boolean>>
  /** Whether a subscriber of this process wants a topic. */
  isFollowedHere(topic: LiveTopic): boolean
  /** Sends an event of this process. Costs nothing if its topic is not wanted. */
  emit(event: ProcessEvent): void
  /** Sends an event to the subscribers of this process alone. */
  emitHere(event: ProcessEvent): void
  /** Sends the subscribers of a topic, in all processes, how many events are left out. */
  leaveOut(topic: LiveTopic, count: number): void
  /** Throws `GraphQLError` if the process, or the token or user, has too many subscribers. */
  subscribe(topics: readonly LiveTopic[], filter: ExchangeFilter, principal: Principal): Subscriber
  /** Ends the subscriptions of these principals: their session or token has ended. */
  end(isEnded: (principal: Principal) => boolean): void
  /** Sends a command or an answer. Returns whether it is short enough for the bus. */
  send(message: Outgoing): boolean
  close(): void
}

/** The options of `createHub`. */
interface HubOptions {
  /** The id of this process. */
  readonly self: string
  readonly bus: Bus
  /** Called with the commands and answers of other processes. */
  readonly onCommand: (message: CommandMessage | AnswerMessage) => void
  /** Called when `wanted` has changed. */
  readonly onWanted: (wanted: Hub['wanted']) => void
  /** Milliseconds since 1970, for the ends of sessions. */
  readonly now: () => number
}

/** Creates the hub of a process. */
export function createHub({ self, bus, onCommand, onWanted, now }: HubOptions): Hub {
  const subscribers = new Set<Subscriber>()
  const wanted = Object.fromEntries(liveTopics.map((topic) => [topic, false])) as Record<
    LiveTopic,
    boolean
  >
  /** Until when another process wants a topic, in milliseconds of `performance.now()`. */
  const wantedUntil = new Map<LiveTopic, number>()
  /** The events that each process had sent by its last message. */
  let sentBy = new RecentMap<number>(mostSenders)
  let sent = 0

  function publish(message: BusMessage): boolean {
    const text = writeMessage(message)
    bus.publish(text, 'to' in message ? message.to : undefined)
    return text.length <= longestMessage
  }

  function hello(): void {
    const topics = sentTopics.filter((topic) => hasSubscriber(topic))
    publish({ from: self, sent, hello: topics })
  }

  function hasSubscriber(topic: LiveTopic): boolean {
    for (const { topics } of subscribers) if (topics.has(topic)) return true
    return false
  }

  function isWantedElsewhere(topic: LiveTopic): boolean {
    return (wantedUntil.get(topic) ?? -Infinity) > performance.now()
  }

  function update(): void {
    let hasChanged = false
    for (const topic of liveTopics) {
      const isWanted = hasSubscriber(topic) || isWantedElsewhere(topic)
      hasChanged ||= isWanted !== wanted[topic]
      wanted[topic] = isWanted
    }
    if (hasChanged) onWanted(wanted)
  }

  function offer(event: ProcessEvent): void {
    for (const subscriber of subscribers) subscriber.offer(event)
  }

  function missed(reason: Missed['reason'], count?: number, topic?: LiveTopic): void {
    for (const subscriber of subscribers) {
      if (topic === undefined || subscriber.topics.has(topic)) subscriber.miss(reason, count)
    }
  }

  function receive(text: string): void {
    // Most messages, and of no use here.
    if (isForAnother(text, self) || (subscribers.size === 0 && isEventMessage(text))) return
    const message = readMessage(text)
    if (!message || message.from === self) return
    if ('command' in message || 'answer' in message) return onCommand(message)
    noteSent(message)
    if ('hello' in message) {
      for (const topic of message.hello) wantedUntil.set(topic, performance.now() + interestMs)
      if (message.hello.some((topic) => !wanted[topic])) update()
    } else if ('event' in message) {
      offer(message.event)
    } else missed('SAMPLING', message.leftOut, message.topic)
  }

  /** Finds out how many events of another process were lost since its last message. */
  function noteSent(message: BusMessage): void {
    const { from, sent: now } = message
    const before = sentBy.get(from)
    sentBy.set(from, now)
    if (before === undefined) return
    const lost = now - before - Number(!('hello' in message))
    if (lost > 0) missed('OUTAGE', lost)
  }

  bus.listen({ onMessage: receive, onGap: () => missed('OUTAGE') })
  const stop = everySeconds(helloSeconds, () => {
    // An idle gateway is quiet. A process that sends events says how many, so that a lost last one is noticed.
    if (Object.values(wanted).some(Boolean)) hello()
    end(({ expiresAt = Infinity }) => expiresAt <= now())
    update()
  })

  function end(isEnded: (principal: Principal) => boolean): void {
    for (const one of subscribers) if (isEnded(one.principal)) one.close()
  }

  return {
    wanted,
    end,
    emit(event) {
      const topic = topicOf(event)
      if (!wanted[topic]) return
      offer(event)
      if (isWantedElsewhere(topic)) publish({ from: self, sent: ++sent, event })
    },
    isFollowedHere: hasSubscriber,
    emitHere: offer,
    leaveOut(topic, count) {
      missed('SAMPLING', count, topic)
      if (isWantedElsewhere(topic)) publish({ from: self, sent: ++sent, topic, leftOut: count })
    },
    subscribe(topics, filter, principal) {
      if (subscribers.size >= mostSubscribers) throw tooMany()
      // Events lost before the first subscriber do not matter.
      if (subscribers.size === 0) sentBy = new RecentMap(mostSenders)
      const subscriber = new Subscriber({
        topics,
        filter,
        principal,
        onClose(closed) {
          subscribers.delete(closed)
          update()
        },
      })
      subscribers.add(subscriber)
      update()
      hello()
      return subscriber
    },
    // The address stands first in the text, see `isForAnother`.
    send: (message) => publish({ ...message, from: self, sent }),
    close() {
      stop()
      end(() => true)
    },
  }
}

function tooMany(): GraphQLError {
  return new GraphQLError(`This process has ${mostSubscribers} subscribers already.`, {
    extensions: { code: 'TOO_MANY_SUBSCRIBERS', http: { status: 503 } },
  })
}
