import { GatewayError } from '../errors.ts'
import type { Understood } from '../exchange.ts'

/** Who waits, and whether it goes on when its client leaves. */
export type Waiter = Pick<Understood, 'client' | 'call'>

/** What comes of work that is others' too; `client_closed_request` once this client has left. */
export function unlessGone<T>(work: Promise<T>, { client, call }: Waiter): Promise<T> {
  if (call.finishWithoutClient) return work
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(new GatewayError('client_closed_request', 'The client closed the request.'))
    }
    const stop = client.onGone(leave)
    void work.then(resolve, reject).finally(stop)
  })
}
