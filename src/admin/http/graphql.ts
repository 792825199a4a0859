import type { IncomingMessage, ServerResponse } from 'node:http'

import { sendNodeResponse } from '@whatwg-node/server'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { type Plugin, createYoga, isAsyncIterable, maskError } from 'graphql-yoga'

import { describeError } from '../../lib/log.ts'
import type { AdminContext } from '../context.ts'
import { valueHider } from '../hide-values.ts'
import type { AdminLimits } from '../limits.ts'
import { createAdminSchema } from '../schema/index.ts'
import type { AdminServices } from '../services.ts'
import { notAcceptable } from './accept.ts'
import { createGuard } from './guard.ts'
import type { HttpError } from './http-error.ts'
import { noteDeniedFields, recordsDeniedFields } from './note-denied.ts'

/** The input of each GraphQL operation from the server. */
interface Entered {
  readonly admin: AdminContext
  /** Whether the client may read the schema. */
  readonly mayIntrospect: boolean
}

/** An operation as it comes in. */
interface Incoming extends Entered {
  readonly body?: string
  /**
   * Takes a place for an answer of server-sent events, or returns the error if all places are taken. A client gets such an answer for a
   * subscription, also where it does not ask for it by name.
   */
  readonly refuseStream: () => HttpError | undefined
}

/**
 * Answers an operation, whose body is read: JSON, if there is one. Resolves when the answer has ended; with an
 * error if it may not begin, and nothing is answered.
 */
export type AnswerGraphQL = (
  request: IncomingMessage,
  response: ServerResponse,
  incoming: Incoming,
) => Promise<HttpError | undefined>

/** Says in `extensions` what a result lacks, and that the store is away: acts are refused until it is back. */
const incompleteNotice: Plugin = {
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      if (isAsyncIterable(result)) return
      const { incomplete, services } = args.contextValue as unknown as AdminContext
      const storeAway = !services.processes.storeState.isReachable
      if (incomplete.length === 0 && !storeAway) return
      setResult({
        ...result,
        extensions: {
          ...result.extensions,
          ...(incomplete.length > 0 && { incomplete }),
          ...(storeAway && { storeAway }),
        },
      })
    },
  }),
}

/**
 * Creates what answers operations on a schema, in JSON or as server-sent events. By default it is the admin schema with
 * the additions of plugins. Throws `ConfigurationError` for additions that fail.
 */
export function createGraphQL(
  { log, running }: Pick<AdminServices, 'log' | 'running'>,
  limits: AdminLimits,
  schema: GraphQLSchema = createAdminSchema(running.plugins),
): AnswerGraphQL {
  const yoga = createYoga<Entered, object>({
    schema,
    context: ({ admin, mayIntrospect }) => ({ ...admin, mayIntrospect }),
    graphqlEndpoint: '/graphql',
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    logging: false,
    // A client could fill it with large documents.
    parserAndValidationCache: false,
    plugins: [createGuard(limits, log), valueHider, recordsDeniedFields, incompleteNotice],
    // The guard masks errors of operations; these are defects around them.
    maskedErrors: {
      maskError(error, message) {
        if (isForClient(error)) return error
        const cause = error instanceof GraphQLError ? error.originalError : error
        if (cause) log.error('the admin API failed', describeError(cause))
        return maskError(error, message, false)
      },
    },
  })

  return async (request, response, { body, refuseStream, ...entered }) => {
    const left = new AbortController()
    response.once('close', () => left.abort())
    entered.admin.signal = left.signal
    const answer = await yoga.fetch(
      new yoga.fetchAPI.Request(`http://${request.headers.host}${request.url}`, {
        method: request.method!,
        headers: {
          ...(request.headers as Record<string, string>),
          // Yoga compares the type case-sensitively. `readJson` has accepted it in any case.
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        signal: left.signal,
        ...(body !== undefined && { body }),
      }),
      entered,
    )
    await noteDeniedFields(entered.admin)
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      const refused = refuseStream()
      if (refused) {
        await discard(answer.body)
        return refused
      }
      answer.headers.delete('content-encoding')
      answer.headers.set('x-accel-buffering', 'no')
    }
    // A subscription that is not to be answered by events.
    if (answer.status === notAcceptable.status) return notAcceptable
    answer.headers.set('cache-control', 'no-store')
    await sendNodeResponse(answer, response, request, true)
    return undefined
  }
}

/** Ends events that no client gets. They begin when they are read, and cannot end before. */
async function discard(body: ReadableStream | null): Promise<void> {
  const reader = body?.getReader()
  await reader?.read()
  await reader?.cancel()
}

/** Whether an error is about the operation and no defect: its message is for the client, not for the log. */
function isForClient(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false
  return error.originalError === undefined || error.originalError instanceof GraphQLError
}
