import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  getOperationAST,
  validate,
} from 'graphql'
import { type Plugin, isAsyncIterable } from 'graphql-yoga'

import { describeError, type Log } from '../../lib/log.ts'
import type { AdminContext } from '../context.ts'
import type { AdminLimits } from '../limits.ts'
import { errorOfAuthState } from '../still-permitted.ts'
import { storeErrorOf } from '../store-errors.ts'
import { parseWithin } from './document.ts'
import { faultOfVariables } from './variables.ts'

/** The time between two looks at the token or session of a query, in milliseconds. */
const lookMs = 1_000

/** The data of each operation besides its context. */
interface Guarded {
  readonly admin: AdminContext
  /** Whether the client may read the schema. */
  readonly mayIntrospect: boolean
}

/** Holds operations to the limits, and defects back: they go to the log, under the id of the request. */
export function createGuard(limits: AdminLimits, log: Log): Plugin<Guarded> {
  return {
    onParse({ context, setParseFn }) {
      const { isPersisted = false } = (context as unknown as Guarded).admin
      const allowed = isPersisted ? { ...limits, tokens: limits.persistedTokens } : limits
      setParseFn((source) => parseWithin(source, allowed))
    },
    onValidate({ context, addValidationRule, setValidationFn }) {
      if ((context as unknown as Guarded).mayIntrospect) return
      addValidationRule(NoSchemaIntrospectionCustomRule)
      setValidationFn((schema, document, rules) =>
        validate(schema, document, rules, { hideSuggestions: true }),
      )
    },
    onExecute({ args, executeFn, setExecuteFn }) {
      const id = requestIdOf(args)
      setExecuteFn(async (given: ExecutionArgs) => {
        const fault = faultOfVariables(given)
        if (fault) return { errors: [fault] }
        const result: ExecutionResult = await withinTime(executeFn, given, limits.queryMs)
        return withMasked(result, id, log)
      })
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const fault = faultOfVariables(args)
      if (fault) return setResultAndStopExecution({ errors: [fault] })
      const id = requestIdOf(args)
      return {
        onSubscribeResult({ result, setResult }) {
          if (!isAsyncIterable(result)) setResult(withMasked(result as ExecutionResult, id, log))
          return {
            onNext: (event) => {
              event.setResult(withMasked(event.result, id, log))
            },
          }
        },
      }
    },
  }
}

function requestIdOf({ contextValue }: { contextValue?: unknown }): string {
  return (contextValue as AdminContext).requestId
}

/**
 * Ends the wait for an operation, and for a query whose token or session ends meanwhile. Its resolvers stop at
 * the next field. Of a mutation, each act looks at them itself.
 */
async function withinTime(
  execute: (args: ExecutionArgs & { signal?: AbortSignal }) => unknown,
  args: ExecutionArgs & { signal?: AbortSignal },
  ms: number,
): Promise<ExecutionResult> {
  const { promise: stopped, resolve } = Promise.withResolvers<ExecutionResult>()
  const abort = new AbortController()
  const leave = () => abort.abort()
  const stop = (error: GraphQLError) => {
    resolve({ errors: [error] })
    abort.abort()
  }
  args.signal?.addEventListener('abort', leave)
  const isAct = isMutation(args)
  const context = args.contextValue as AdminContext
  const timer = setTimeout(() => stop(tooLong(ms, isAct)), ms)
  const watch = isAct ? undefined : setInterval(() => void endWithAuthState(context, stop), lookMs)
  // Reads of the store stop with it.
  context.signal = abort.signal
  const result = Promise.resolve(
    execute({ ...args, signal: abort.signal }),
  ) as Promise<ExecutionResult>
  try {
    return await Promise.race([result, stopped])
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    args.signal?.removeEventListener('abort', leave)
    result.catch(() => {})
    abort.abort()
  }
}

/** Calls `stop` if the token or session has ended. Never rejects: a store that fails stops nothing. */
async function endWithAuthState(
  context: AdminContext,
  stop: (error: GraphQLError) => void,
): Promise<void> {
  const error = await errorOfAuthState(context).catch(() => undefined)
  if (error) stop(error)
}

function isMutation({ document, operationName }: ExecutionArgs): boolean {
  return getOperationAST(document, operationName)?.operation === 'mutation'
}

function tooLong(ms: number, isAct: boolean): GraphQLError {
  const left = isAct ? ' Its acts may have been done or not: the audit log says it.' : ''
  return new GraphQLError(`The operation took longer than ${ms / 1000} s.${left}`, {
    extensions: { code: 'TOO_SLOW', http: { status: 504 } },
  })
}

/** The result without the causes of its errors. */
function withMasked<Result extends ExecutionResult>(result: Result, id: string, log: Log): Result {
  if (!result.errors) return result
  return { ...result, errors: result.errors.map((error) => masked(error, id, log)) }
}

/** An error of GraphQL is meant for the client. Any other is a defect, whose message may hold a secret. */
function masked(error: GraphQLError, requestId: string, log: Log): GraphQLError {
  const cause = causeOf(error)
  if (cause === undefined) return withCode(error)
  const store = storeErrorOf(cause)
  if (store) {
    const { nodes, path } = error
    return new GraphQLError(store.message, { nodes, path, extensions: { code: store.code } })
  }
  log.error('a query of the admin API failed', { requestId, ...describeError(cause) })
  return new GraphQLError('Unexpected error.', {
    nodes: error.nodes,
    path: error.path,
    extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
  })
}

/** GraphQL gives none to errors of variables. */
function withCode(error: GraphQLError): GraphQLError {
  if (typeof error.extensions['code'] === 'string') return error
  const { message, nodes, source, positions, path, extensions } = error
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    path,
    extensions: { ...extensions, code: 'BAD_USER_INPUT' },
  })
}

function causeOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error
  return error.originalError === undefined || error.originalError === null
    ? undefined
    : causeOf(error.originalError)
}
