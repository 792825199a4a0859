import { everySeconds } from '../../lib/ticker.ts'
import { within } from '../../lib/deadline.ts'
import { type Bus, type BusListener, longestMessage } from '../bus.ts'
import { storeDeadlineMs } from '../store.ts'
import { type RedisConnection, clientOf, connectRedis, end, pause } from './connect.ts'
import type { RedisAddress } from './url.ts'

/** Each process publishes an empty message in this time, in seconds, so that it hears its own subscription. */
const probeSeconds = 5

/** The time after which a subscription that hears nothing is opened again, in milliseconds. */
const deafMs = 12_000

/** The time between two attempts to subscribe, in milliseconds. */
const retryMs = 1_000

/**
 * A bus on the publications of Redis, with connections of its own. Redis stores nothing of it: a process
 * that is away misses the messages of that time. It reconnects by itself. Resolves when it is connected,
 * or when a call of the store would end.
 */
export async function openRedisBus(
  address: RedisAddress,
  onError: (error: unknown) => void,
): Promise<Bus> {
  const channel = `${address.prefix}live`
  const listeners: BusListener[] = []
  let publisher: RedisConnection | undefined
  let isClosed = false
  let isDown = false
  /** The subscription, or the client that is about to subscribe. */
  let subscription: ReturnType<typeof clientOf> | undefined
  /** Milliseconds of `performance.now()`. */
  let heardAt = performance.now()

  function setDown(error: unknown): void {
    if (isDown || isClosed) return
    isDown = true
    onError(error)
    for (const listener of listeners) listener.onGap()
  }

  function receive(message: string): void {
    heardAt = performance.now()
    if (message === '' || message.length > longestMessage) return
    for (const listener of listeners) listener.onMessage(message)
  }

  async function subscribe(): Promise<void> {
    for (;;) {
      if (isClosed) return
      const next = clientOf(address)
      // A client that does not reach its server tries again, and again, until it is ended.
      subscription = next
      next.client.on('error', setDown)
      try {
        await next.client.connect()
        await next.subscribe(channel, receive)
        if (isClosed) end(next)
        heardAt = performance.now()
        subscribed.resolve()
        return
      } catch (error) {
        end(next)
        setDown(error)
        await pause(retryMs)
      }
    }
  }

  let subscribing: Promise<void> | undefined
  function reopen(): void {
    if (subscribing) return
    if (subscription) end(subscription)
    subscribing = subscribe().finally(() => {
      subscribing = undefined
    })
  }

  async function publish(message: string): Promise<void> {
    await publisher?.send(channel, 'write', ['PUBLISH', channel, message])
    isDown = false
    // Redis sends it back to this process too, unless the subscription is lost.
    if (performance.now() - heardAt > deafMs) reopen()
  }

  function send(message: string): void {
    if (isClosed || !publisher || message.length > longestMessage) return
    publish(message).catch(setDown)
  }

  const subscribed = Promise.withResolvers<void>()
  const opening = connectRedis(address, setDown).then((connection) => {
    publisher = connection
    if (isClosed) void connection.close()
  })
  reopen()
  const stopProbing = everySeconds(probeSeconds, () => send(''))
  const connected = Promise.all([opening, subscribed.promise])
  await within(storeDeadlineMs, connected, () => new Error('late')).catch(() => {})
  return {
    publish: send,
    listen: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true
      stopProbing()
      if (subscription) end(subscription)
      await opening
      await publisher?.close()
    },
  }
}
