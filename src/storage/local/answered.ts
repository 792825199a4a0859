import type { ClientRequest, Progress } from '../../exchange.ts'

/** What an answer needs of its exchange. */
export interface Answered {
  readonly request: ClientRequest
  readonly progress: Pick<Progress, 'bytesIn' | 'bytesOut'>
}
