import type { AdminBuilder } from '../builder.ts'
import type { AttemptRecord } from '../processes/attempts.ts'
import type { ExchangeFacts } from '../processes/exchanges.ts'
import { enumsOf } from './enums.ts'
import { edgesOf } from './edges.ts'

const authScopes = { viewer: true }

/** An exchange and the process that has it. */
export type Placed<Exchange> = Exchange & { readonly processId: string }

/** Adds the interface of exchanges in flight and of those that have ended. */
export function exchangeInterface(builder: AdminBuilder) {
  const attempt = attemptRecord(builder)
  const route = exchangeRoute(builder)
  return builder.interfaceRef<Placed<ExchangeFacts>>('Exchange').implement({
    description: 'An exchange, without its content.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The value of `x-request-id`.' }),
      processId: t.exposeID('processId'),
      startedAt: t.expose('startedAt', { type: 'DateTime' }),
      firstOutputMs: t.exposeFloat('firstOutputMs', {
        nullable: true,
        description: 'From the arrival of the request to the first output for the client.',
      }),
      keyId: t.exposeID('keyId', { nullable: true }),
      team: t.exposeID('team', { nullable: true }),
      dialect: t.exposeString('dialect', { nullable: true, description: "The client's." }),
      operation: t.exposeString('operation', { nullable: true }),
      model: t.exposeString('model', {
        nullable: true,
        description: 'As the client wrote it, cut off at 200 characters.',
      }),
      accountId: t.exposeID('accountId', {
        nullable: true,
        description: 'The account of the last attempt.',
      }),
      stream: t.exposeBoolean('stream'),
      bytesIn: t.expose('bytesIn', { type: 'Count' }),
      bytesOut: t.expose('bytesOut', { type: 'Count' }),
      route: t.field({
        type: route,
        nullable: true,
        description: 'Null: the model is not known, or the call names none.',
        resolve: (one) => (one.resolved === undefined ? null : one),
      }),
      attempts: t.field({
        type: [attempt],
        description: 'The first first; of more than ten, the last ones. See `attemptCount`.',
        resolve: ({ tried }) => [...tried],
      }),
      attemptCount: t.int({
        description: 'The number of requests to accounts.',
        resolve: ({ attempts }) => attempts,
      }),
      excluded: t.field({
        type: ['RouteExclusion' as never],
        description:
          'The accounts that could not serve it, as far as they were considered; at most 10. None of a resource that belongs to another account and was served.',
        resolve: ({ excluded }) => excluded as never,
      }),
      excludedOmitted: t.int({
        resolve: ({ excluded, excludedCount }) => excludedCount - excluded.length,
      }),
      losses: t.field({
        type: ['Loss' as never],
        description: 'The fields that the account of the last attempt did not get; at most 20.',
        resolve: ({ losses }) => losses as never,
      }),
      lossesOmitted: t.int({ resolve: ({ losses, lossCount }) => lossCount - losses.length }),
      traceId: t.exposeID('traceId', { nullable: true, description: 'Null: it is not traced.' }),
      ...edgesOf(t as never, {
        account: ({ accountId }: ExchangeFacts) => accountId,
        key: ({ keyId }) => keyId,
        model: ({ resolved }) => resolved,
      }),
    }),
  })
}

function exchangeRoute(builder: AdminBuilder) {
  return builder.objectRef<ExchangeFacts>('ExchangeRoute').implement({
    description: 'How the account of an exchange was chosen.',
    authScopes,
    fields: (t) => ({
      requested: t.string({
        nullable: true,
        description: 'The model as the client wrote it.',
        resolve: ({ model }) => model,
      }),
      resolved: t.string({
        description: 'The platform model, after aliases and fallbacks.',
        resolve: ({ resolved }) => resolved ?? '',
      }),
      alias: t.exposeBoolean('isAlias', { description: 'Whether the client wrote an alias.' }),
      rule: t.exposeString('rule', {
        nullable: true,
        description:
          'What chose the account, as in `RouteExplanation.rule`. Null: the call was not routed.',
      }),
      pinned: t.exposeBoolean('isPinned', {
        description: 'Whether no other account could serve it.',
      }),
      fallbacks: t.field({
        type: ['RouteFallback' as never],
        description: 'The models that it has left for another one, the first first.',
        resolve: ({ left }) => left as never,
      }),
    }),
  })
}

function attemptRecord(builder: AdminBuilder) {
  const { attemptOutcome, fault } = enumsOf(builder)
  return builder.objectRef<AttemptRecord>('AttemptRecord').implement({
    description: 'An attempt at an account. Its times count from the arrival of the request.',
    authScopes,
    fields: (t) => ({
      number: t.exposeInt('number'),
      accountId: t.exposeID('accountId'),
      dialect: t.exposeString('dialect', { description: "The account's." }),
      native: t.exposeBoolean('isNative', {
        description: "Whether that is the client's: nothing is translated.",
      }),
      model: t.exposeString('model', {
        nullable: true,
        description: 'The platform model, which a fallback changes.',
      }),
      upstreamModel: t.exposeString('upstreamModel', {
        nullable: true,
        description: "The account's name of the model.",
      }),
      startedMs: t.exposeFloat('startedMs', {
        nullable: true,
        description: 'When the request was sent. Null: none was sent.',
      }),
      firstByteMs: t.exposeFloat('firstByteMs', { nullable: true }),
      endedMs: t.exposeFloat('endedMs', { nullable: true }),
      status: t.exposeInt('status', {
        nullable: true,
        description: "The status of the account's reply.",
      }),
      reusedConnection: t.exposeBoolean('isReused', {
        description: 'Whether its connection had served earlier requests.',
      }),
      outcome: t.expose('outcome', {
        type: attemptOutcome,
        nullable: true,
        description: 'Null: it has not ended.',
      }),
      error: t.exposeString('error', { nullable: true, description: 'The code of its error.' }),
      fault: t.expose('fault', { type: fault, nullable: true }),
      ...edgesOf(t, { account: ({ accountId }) => accountId, model: (one) => one.model }),
    }),
  })
}
