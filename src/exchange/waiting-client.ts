import type { ClientConnection } from '../contract/request.ts'

/** The client of an exchange that no client has begun: it waits to the end, or until `signal` aborts. */
export function createWaitingClient(signal = new AbortController().signal): ClientConnection {
  return { gone: false, signal, onGone: () => () => {}, watch() {}, unwatch() {}, reset() {} }
}
