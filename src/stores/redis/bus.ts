import { type Bus, type BusListener, longestMessage } from '../bus-port.ts'
import { type RedisConnection, clientOf, connectRedis, end, pause } from './connect.ts'
import type { RedisAddress } from './url.ts'

/** The time after which a subscription that hears nothing of this process is opened again, in milliseconds. */
const deafMs = 6_000

/** The time between two attempts to subscribe, in milliseconds. */
const retryMs = 1_000

/**
 * A bus on the publications of Redis, with connections of its own. Redis stores nothing of it: what is
 * published while a process is away is lost to that process. It reconnects by itself.
 */
export function openRedisBus(address: RedisAddress, onError: (error: unknown) => void): Bus {
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
    if (message.length > longestMessage) return
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

  const opening = connectRedis(address, setDown).then((connection) => {
    publisher = connection
    if (isClosed) void connection.close()
  })
  reopen()
  return {
    publish(message) {
      if (isClosed || !publisher || message.length > longestMessage) return
      publish(message).catch(setDown)
    },
    listen: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true
      if (subscription) end(subscription)
      await opening
      await publisher?.close()
    },
  }
}
