import { GraphQLError, type GraphQLResolveInfo } from 'graphql'

import { GatewayError } from '../../contract/errors.ts'
import { exclusionsAmong } from '../../accounts/exclusions.ts'
import type { Exclusion, LeftModel, Loss } from '../../contract/call.ts'
import type { Explanation, ExplainedAnswer } from '../../attempt/explain.ts'
import type { Chance } from '../../route/choose.ts'
import type { PlacedExclusion } from '../accounts/status.ts'
import type { AdminBuilder } from '../builder.ts'
import { followedAccounts } from '../accounts/catch-up.ts'
import type { AdminContext } from '../context.ts'
import { type ExplainableOperation, explainInput, explainableOperations } from '../explain.ts'
import { noteMissingProcesses } from '../incomplete.ts'
import { enumsOf } from './enums.ts'
import { edgesOf } from './edges.ts'
import { catchUpWith } from '../read-store.ts'

/** The longest lists of an explanation. A pool may have 10,000 accounts. */
const mostListed = 100

/** An explanation with the key whose request it is about. */
type Explained = Explanation & { readonly keyId: string }

/** A candidate for a request of a key. */
type KeyedChance = Chance & { readonly keyId: string }

/** Adds `explain`, a dry run of a request, and `explainable`, the operations that it takes. */
export function addExplain(builder: AdminBuilder): void {
  addExplainable(builder)
  const explanation = explanationType(builder)
  const input = inputType(builder)
  builder.queryField('explain', (t) =>
    t.field({
      type: explanation,
      description:
        'How a request would be served now, by the same code as a call. Nothing is sent or stored. `extensions.incomplete` names the field while the store is away: then accounts and aliases are those that were known last.',
      authScopes: { viewer: true },
      args: { input: t.arg({ type: input, required: true }) },
      // Four in an operation: each may read a body as large as the request.
      complexity: { field: 450 },
      resolve: (_root, { input: asked }, context) =>
        context.services.dryRuns.run(context, async () => {
          try {
            const { services } = context
            const { aliases } = services.running
            await catchUpWith(context, 'explain', followedAccounts(services), aliases)
            return { ...(await explainInput(services, asked)), keyId: asked.keyId }
          } catch (error) {
            throw GatewayError.isInstance(error) ? badInput(error) : error
          }
        }),
    }),
  )
}

function addExplainable(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const operation = builder.objectRef<ExplainableOperation>('ExplainableOperation').implement({
    description: 'An operation of clients that `explain` takes.',
    authScopes,
    fields: (t) => ({
      dialect: t.exposeString('dialect'),
      operation: t.exposeString('operation'),
      summary: t.exposeString('summary'),
      isUsual: t.exposeBoolean('isUsual', {
        description: 'Whether its dialect means it without an operation.',
      }),
      needsId: t.exposeBoolean('needsId', {
        description: 'Whether its path has an `{id}`: `ExplainInput.id`.',
      }),
    }),
  })
  builder.queryField('explainable', (t) =>
    t.field({
      type: [operation],
      description: 'The operations that `explain` takes, in the order of their dialects.',
      authScopes,
      // The routes are in memory, and as many as the dialects have.
      complexity: { field: 20, multiplier: 1 },
      resolve: (_root, _args, { services }) => explainableOperations(services.running),
    }),
  )
}

function badInput({ message }: GatewayError): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}

function inputType(builder: AdminBuilder) {
  const header = builder.inputType('ExplainHeader', {
    fields: (t) => ({ name: t.string({ required: true }), value: t.string({ required: true }) }),
  })
  return builder.inputType('ExplainInput', {
    fields: (t) => ({
      keyId: t.id({ required: true, description: 'Whose request it would be.' }),
      dialect: t.string({
        required: true,
        description: "The client's: responses, chat, messages; `explainable` has all.",
      }),
      operation: t.string({
        description:
          'An operation of the dialect: messages.count_tokens. Absent: that which creates.',
      }),
      id: t.string({ description: "The `{id}` of the operation's path." }),
      model: t.string(),
      previousResponseId: t.string(),
      body: t.field({
        type: 'JSON',
        description: 'The body, or its exact JSON text. Absent: the least one of the dialect.',
      }),
      headers: t.field({ type: [header], description: 'Headers of the client, at most 32.' }),
    }),
  })
}

function explanationType(builder: AdminBuilder) {
  const candidate = candidateType(builder)
  const excluded = excludedType(builder)
  const fallback = fallbackType(builder, excluded)
  const loss = lossType(builder)
  const answer = answerType(builder)
  return builder.objectRef<Explained>('RouteExplanation').implement({
    description: 'How a request would be served.',
    authScopes: { viewer: true },
    fields: (t) => ({
      processId: t.id({
        description:
          'The process that answers. Its own pauses, refusals and circuits decide; see `RouteCandidate.elsewhere` for others.',
        resolve: (_one, _args, { services }) => services.processes.id,
      }),
      operation: t.exposeString('operation', { nullable: true }),
      resolvedModel: t.string({
        nullable: true,
        description: 'The platform model, after aliases and fallbacks.',
        resolve: ({ model }) => model?.name || null,
      }),
      fallbacks: t.field({
        type: [fallback],
        description: 'The models that it would leave for another one, the first first.',
        resolve: ({ left }) => [...left],
      }),
      rule: t.exposeString('rule', {
        nullable: true,
        description:
          'What chooses: bindings, an affinity, priority and weight, or priority and the strategy of the model.',
      }),
      pinned: t.exposeBoolean('isPinned', {
        description: 'Whether no other account may serve it.',
      }),
      moves: t.exposeBoolean('moves', {
        description: 'Whether the unused conversation would first move to the chosen account.',
      }),
      candidates: t.field({
        type: [candidate],
        description: `The accounts that can serve it, the likeliest first; at most ${mostListed}.`,
        resolve: ({ candidates, keyId }) =>
          candidates.slice(0, mostListed).map((one) => ({ ...one, keyId })),
      }),
      candidatesOmitted: t.int({
        resolve: ({ candidates }) => Math.max(0, candidates.length - mostListed),
      }),
      excluded: t.field({
        type: [excluded],
        description: `The accounts that cannot serve it, and why; at most ${mostListed}.`,
        resolve: (one) => one.excluded.slice(0, mostListed),
      }),
      excludedOmitted: t.int({
        resolve: (one) => Math.max(0, one.excluded.length - mostListed),
      }),
      chosen: t.field({
        type: candidate,
        nullable: true,
        description:
          'The account that would be asked first. Of several with a chance, a random one.',
        resolve: chosenOf,
      }),
      losses: t.field({
        type: [loss],
        description: 'What translation to the chosen account would lose.',
        resolve: ({ losses }) => losses.slice(0, mostListed),
      }),
      answer: t.field({
        type: answer,
        nullable: true,
        description: "The gateway's own answer; null if the chosen account answers.",
        resolve: (one) => one.answer,
      }),
    }),
  })
}

/** The preparation may have replaced the candidate by another dialect of the same account. */
function chosenOf({ chosen, candidates, keyId }: Explained): KeyedChance | undefined {
  if (!chosen) return undefined
  const listed = candidates.find(({ candidate }) => candidate.account === chosen.account)
  return { rank: 0, why: undefined, chance: 1, ...listed, candidate: chosen, keyId }
}

function candidateType(builder: AdminBuilder) {
  return builder.objectRef<KeyedChance>('RouteCandidate').implement({
    description: 'An account that can serve a request.',
    authScopes: { viewer: true },
    fields: (t) => ({
      accountId: t.id({ resolve: ({ candidate }) => candidate.account.id }),
      ...edgesOf(t, { account: ({ candidate }) => candidate.account.id }),
      native: t.boolean({
        description: "Whether it speaks the client's dialect.",
        resolve: ({ candidate }) => candidate.native,
      }),
      dialect: t.string({
        description: 'The dialect in which it is asked.',
        resolve: ({ candidate }) => candidate.dialect.id,
      }),
      upstreamModel: t.string({
        nullable: true,
        description: "The account's name of the model.",
        resolve: ({ candidate }) => candidate.upstreamModel || null,
      }),
      priority: t.int({ resolve: ({ candidate }) => candidate.account.priority }),
      weight: t.float({ resolve: ({ candidate }) => candidate.account.weight }),
      rank: t.exposeFloat('rank', {
        description: 'The sum of the preferences; lower comes first.',
      }),
      why: t.exposeString('why', { nullable: true, description: 'The rule of the preference.' }),
      chance: t.exposeFloat('chance', {
        description: 'The probability that it is asked first, from 0 to 1.',
      }),
      // The type of exclusions belongs to another file.
      elsewhere: t.field({
        type: ['AccountExclusion' as never],
        description:
          'What keeps such calls from the account in other processes. `extensions.incomplete` names processes whose part is missing.',
        // A number alone would count ten of them.
        complexity: { field: 3, multiplier: 1 },
        resolve: async (one, _args, context, info) =>
          (await elsewhere(one, context, info)) as never,
      }),
    }),
  })
}

/** The exclusions of a candidate in other processes. Notes the processes whose part is missing. */
async function elsewhere(
  { candidate: { account, dialect, upstreamModel }, keyId }: KeyedChance,
  context: AdminContext,
  info: GraphQLResolveInfo,
): Promise<PlacedExclusion[]> {
  const { processes } = context.services
  const { accountIn, missing } = await processes.cluster()
  noteMissingProcesses(context, info, missing)
  return accountIn(account.id)
    .filter(({ processId }) => processId !== processes.id)
    .flatMap(({ processId, exclusions }) =>
      exclusions
        .filter((one) => one.dialect === undefined || one.dialect === dialect.id)
        .filter((one) => one.model === undefined || one.model === upstreamModel)
        .filter((one) => one.keyId === undefined || one.keyId === keyId)
        .map((one) => ({ ...one, processId }) as PlacedExclusion),
    )
}

function excludedType(builder: AdminBuilder) {
  return builder.objectRef<Exclusion>('RouteExclusion').implement({
    description: 'An account that cannot serve a request.',
    authScopes: { viewer: true },
    fields: (t) => ({
      accountId: t.exposeID('account'),
      ...edgesOf(t, { account: ({ account }) => account }),
      by: t.exposeString('by', {
        description: 'The rule: account-health, concurrency, operator.',
      }),
      reason: t.string({ resolve: ({ reason }) => bounded(reason) }),
      field: t.string({
        nullable: true,
        description: 'The field that the account does not support.',
        resolve: ({ field }) => field && bounded(field),
      }),
      until: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When it ends or is tried again.',
        resolve: (one, _args, { services }) => one.untilMs ?? triedAgainAt(services, one),
      }),
      status: t.exposeInt('status', {
        nullable: true,
        description: "The status of the account's answer that is the cause.",
      }),
    }),
  })
}

/** When an account is tried again that clients are given no time for: a check may keep it out for longer. */
function triedAgainAt(
  { running }: AdminContext['services'],
  { account: id, by, kind, reason }: Exclusion,
): number | undefined {
  const account = kind && running.accounts.snapshot.accounts.find((one) => one.id === id)
  const known = account && exclusionsAmong(running.plugins, [account]).get(id)
  return known?.find((one) => one.by === by && one.kind === kind && one.reason === reason)?.untilMs
}

function fallbackType(builder: AdminBuilder, excluded: ReturnType<typeof excludedType>) {
  const { fallbackKind } = enumsOf(builder)
  return builder.objectRef<LeftModel>('RouteFallback').implement({
    description: 'A model that a request would leave for another one.',
    authScopes: { viewer: true },
    fields: (t) => ({
      model: t.exposeString('model'),
      next: t.exposeString('next', { description: 'The model that stands in.' }),
      on: t.expose('on', { type: fallbackKind }),
      error: t.exposeString('error', { description: 'The code of the error without a fallback.' }),
      excluded: t.field({
        type: [excluded],
        description: 'The accounts of the model, and why they cannot serve it; at most 20.',
        resolve: (one) => [...one.excluded],
      }),
    }),
  })
}

function lossType(builder: AdminBuilder) {
  return builder.objectRef<Loss>('Loss').implement({
    description: 'A field of a request that an account does not get.',
    authScopes: { viewer: true },
    fields: (t) => ({
      field: t.string({ resolve: ({ field }) => bounded(field) }),
      reason: t.string({ resolve: ({ reason }) => bounded(reason) }),
    }),
  })
}

function answerType(builder: AdminBuilder) {
  return builder.objectRef<ExplainedAnswer>('ExplainedAnswer').implement({
    description: "The gateway's own answer to a request.",
    authScopes: { viewer: true },
    fields: (t) => ({
      status: t.exposeInt('status'),
      code: t.exposeString('code', { nullable: true, description: 'Null for a success.' }),
      message: t.exposeString('message', { nullable: true }),
      param: t.exposeString('param', { nullable: true }),
      body: t.field({
        type: 'JSON',
        nullable: true,
        description: 'An error as the client gets it, in its dialect.',
        resolve: ({ body }) => body,
      }),
    }),
  })
}

/** Clients choose the names of fields, which may be long. Characters. */
const longest = 1_000

function bounded(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}
