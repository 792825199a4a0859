import type { Call } from '../exchange.ts'

const plain = { stream: false, refersTo: [], edits: [], losses: [] } satisfies Partial<Call>

/** Asks about a job: whoever owns it may, whatever models it may use by now. */
export const aboutJob: Call = { ...plain, model: '' }

/** Orders a job: the account is paid for it, so that it goes on until it can be asked for. */
export const orderJob = { ...plain, finishWithoutClient: true } satisfies Partial<Call>
