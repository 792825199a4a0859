import { setTimeout as wait } from 'node:timers/promises'

import { CommandError, type Invocation } from '../command.ts'
import { packageVersion } from '../versions.ts'
import { addressOf } from './address.ts'
import { type AdminClient, type Answer, readAnswer } from './answer.ts'
import { readEvents } from './events.ts'
import { type AnswerError, notAdmin, redirected, errorOfAnswer, unanswered } from './failures.ts'
import { type StoreState, incompleteNotice } from './incomplete-notice.ts'
import { type Operation, type StoreAnswer, queries } from './operations.ts'

/** The admin API of a running gateway. Calls reject with `CommandError`; `GatewayAway`: try it later. */
export interface RemoteAdmin extends AdminClient {
  /** Begins a subscription; resolves once it has begun. It ends when the gateway ends it. */
  subscribe<Data>(
    operation: Operation<Data>,
    variables: object,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Data>>
  /** The body of a path of the admin address. */
  download(path: string): Promise<AsyncIterable<Uint8Array>>
}

/** How long an answer may take, in milliseconds. The gateway itself ends an operation after 10 s. */
const patienceMs = 30_000

const acceptedTypes = 'application/graphql-response+json, application/json'

/** The largest answer, in bytes. */
const mostBytes = 64 * 1024 * 1024

/** The gateway writes into a quiet stream every 12 s. */
const idleMs = 45_000

/** How often a command waits where it asks too fast, and how long at most, in seconds. */
const mostWaits = 20
const longestWait = 10

interface Call {
  readonly path: string
  readonly accept: string
  readonly body?: string
  readonly isAct: boolean
  /** Default: the answer has to come within `patienceMs`. */
  readonly signal?: AbortSignal
}

/** The admin API that a command names. Throws `UsageError` if the address or the token is missing. */
export function adminClientOf(invocation: Invocation): RemoteAdmin {
  const { base, token } = addressOf(invocation)
  const { origin } = base
  const isApiKey = token.startsWith('dgm_')
  const { say } = invocation.terminal
  const sayIncomplete = incompleteNotice(say, readStore)

  async function send({ path, accept, body, isAct, ...call }: Call): Promise<Response> {
    const signal = call.signal ?? AbortSignal.timeout(patienceMs)
    const headers = { accept, authorization: `Bearer ${token}`, 'user-agent': agent() }
    const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    let response: Response
    try {
      const request = body === undefined ? { headers } : { ...post, body }
      // Another origin must not get the token.
      response = await fetch(new URL(path, base), { ...request, redirect: 'manual', signal })
    } catch (error) {
      throw unanswered(origin, error, isAct)
    }
    if (response.status < 300 || response.status >= 400) return response
    await response.body?.cancel()
    throw redirected(origin, response.headers.get('location'))
  }

  async function ask(call: Call, operation: Operation<unknown>): Promise<Response> {
    for (let waits = 0; ; waits++) {
      const response = await send(call)
      if (response.ok) return response
      // An operation that is refused for its rate has done nothing.
      if (response.status !== 429 || waits === mostWaits)
        throw await httpErrorOf(response, operation)
      await response.body?.cancel()
      await wait(secondsOf(response) * 1_000)
    }
  }

  async function httpErrorOf(
    response: Response,
    { role, isAct }: Pick<Operation<unknown>, 'role' | 'isAct'>,
  ): Promise<CommandError> {
    const { status } = response
    const type = response.headers.get('content-type') ?? ''
    const text = await textOf(response, origin, isAct)
    const errors = errorsIn(type.startsWith('text/event-stream') ? dataIn(text) : text)
    return errors
      ? errorOfAnswer({ origin, status, errors, role, isApiKey, isAct })
      : notAdmin(origin, status, isAct)
  }

  async function dataOf<Data>(
    text: string,
    status: number,
    operation: Operation<Data>,
  ): Promise<Data> {
    const { data, extensions } = answerIn(text)
    const errors = errorsIn(text)
    return await readAnswer({ data, errors, extensions }, operation, {
      say,
      sayIncomplete,
      failure: () =>
        errors
          ? errorOfAnswer({ origin, status, errors, ...operation, isApiKey })
          : notAdmin(origin, status),
    })
  }

  /** The store of the gateway; `undefined` if it cannot be asked for. The lacks of this answer are not said. */
  async function readStore(): Promise<StoreState | undefined> {
    try {
      const response = await send({ ...callOf(queries.store, {}), accept: acceptedTypes })
      const { gateway, configuration } = Object(
        answerIn(await textOf(response, origin, false)).data,
      ) as StoreAnswer
      if (typeof gateway?.store?.reachable !== 'boolean') return undefined
      const address = configuration?.settings?.find(({ path }) => path === 'store')?.value
      const isKnown = typeof address === 'string'
      return { isReachable: gateway.store.reachable, ...(isKnown && { address }) }
    } catch {
      return undefined
    }
  }

  const callOf = ({ document, isAct }: Operation<unknown>, variables: object) => ({
    path: 'graphql',
    body: JSON.stringify({ query: document, variables }),
    isAct,
  })

  return {
    origin,
    knowsAccounts: true,
    async request(operation, variables = {}) {
      const call = { ...callOf(operation, variables), accept: acceptedTypes }
      const response = await ask(call, operation)
      return await dataOf(
        await textOf(response, origin, operation.isAct),
        response.status,
        operation,
      )
    },
    async subscribe<Data>(operation: Operation<Data>, variables: object, signal: AbortSignal) {
      const call = { ...callOf(operation, variables), accept: 'text/event-stream', signal }
      const response = await send(call)
      if (!response.ok) throw await httpErrorOf(response, operation)
      const events = readEvents(response, { origin, idleMs })
      return mapped(events, (text) => dataOf(text, response.status, operation))
    },
    async download(path) {
      // It may take long.
      const { signal } = new AbortController()
      const read = { role: 'viewer', isAct: false } as const
      const response = await send({
        path,
        accept: 'application/x-ndjson, text/csv',
        signal,
        isAct: false,
      })
      if (!response.ok) throw await httpErrorOf(response, read)
      const type = response.headers.get('content-type') ?? ''
      if (!/^(?:application\/x-ndjson|text\/csv)\b/.test(type))
        throw notAdmin(origin, response.status)
      return response.body ?? new ReadableStream()
    },
  }
}

async function* mapped<From, To>(
  all: AsyncIterable<From>,
  map: (one: From) => Promise<To>,
): AsyncGenerator<To> {
  for await (const one of all) yield await map(one)
}

/** The audit log shows it. */
function agent(): string {
  return `dragoman/${packageVersion()} (command line)`
}

function secondsOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 1)
  return seconds >= 0 ? Math.min(seconds, longestWait) : 1
}

async function textOf({ body }: Response, origin: string, isAct: boolean): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length
      if (size > mostBytes) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw unanswered(origin, error, isAct)
  }
  if (size > mostBytes) throw new CommandError(`The answer of ${origin} is too large.`)
  return Buffer.concat(chunks).toString()
}

/** The data of the first event. */
function dataIn(text: string): string {
  return /^data: ?(.*)$/m.exec(text)?.[1] ?? ''
}

function answerIn(text: string): Answer {
  try {
    return Object(JSON.parse(text)) as Answer
  } catch {
    return {}
  }
}

/** The errors of an answer; `undefined` for one that is not of the admin API. */
function errorsIn(text: string): readonly AnswerError[] | undefined {
  const { errors } = answerIn(text)
  if (!Array.isArray(errors) || errors.length === 0) return undefined
  return errors.map((error) => Object(error) as AnswerError)
}
