import type { ListedBinding } from '../../stores/bindings.ts'
import { addAct } from '../act.ts'
import { type BindingAnswer, answersFor, bindingUses } from '../binding-answers.ts'
import {
  type BindingLookup,
  auditTargetOf,
  findBinding,
  itemsOf,
  noBinding,
  ownersOf,
} from '../binding-lookup.ts'
import { type BindingFilter, createdAtOf, readsOf, scanBindings } from '../bindings.ts'
import type { AdminBuilder } from '../builder.ts'
import { complexityOfWalk, effortOfWalk, namedAfter } from '../connections.ts'
import { storeUnavailable } from '../failures.ts'
import { lookupStates } from '../binding-lookup.ts'
import { readStore } from '../read-store.ts'
import { type ScanRange, scanPage } from '../scan-page.ts'
import { whyNoKey } from '../call-key.ts'
import { edgesOf } from './edges.ts'

/** Adds the bindings: list, look-up, and the act that forgets one. */
export function addBindings(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const state = builder.enumType('LookupState', {
    description: 'CANNOT_TELL: the store does not answer, or the record is damaged.',
    values: lookupStates,
  })
  const binding = addBinding(builder)
  builder.queryField('bindings', (t) =>
    t.connection(
      {
        type: binding,
        // While the store is away, the others of the operation are answered.
        nullable: true,
        description:
          'The stored bindings in the order of the store, never their content. A page examines some ' +
          '2,000 records: it may be short or empty and have a next page. A binding is on one page, also ' +
          'while calls make others. It may be on two when a Redis restarts, fails over, moves slots or ' +
          'loses most of its keys meanwhile.',
        authScopes,
        complexity: complexityOfWalk,
        args: { filter: t.arg({ type: addFilter(builder) }) },
        resolve: (_root, { filter, ...page }, context) => {
          const { running, now } = context.services
          const wanted = filterOf(filter ?? {})
          const reading = {
            perRead: readsOf(wanted),
            read: (part: ScanRange) => scanBindings(running.store, wanted, { ...part, now: now() }),
          }
          return readStore(context, (signal) => scanPage(page, reading, signal))
        },
      },
      ...namedAfter('Binding'),
    ),
  )
  const answer = addAnswer(builder)
  const lookup = builder.objectRef<ShownLookup>('BindingLookup').implement({
    description: 'What the gateway knows of an id that a client has.',
    authScopes,
    fields: (t) => ({
      state: t.expose('state', { type: state }),
      reason: t.exposeString('reason', {
        nullable: true,
        description:
          'Why the state is CANNOT_TELL, or MISSING because there is no such key, or none has it.',
      }),
      kind: t.string({
        nullable: true,
        description: 'The kind of the record, also of a damaged one. Null: no record is known.',
        resolve: ({ state: known, isDamaged, name }) =>
          known === 'FOUND' || isDamaged ? name.kind : null,
      }),
      binding: t.field({
        type: binding,
        nullable: true,
        resolve: ({ name, binding: found }) => found && { ...name, recordId: null, binding: found },
      }),
      otherKeyIds: t.idList({
        description: 'Without `keyId`: further keys that own a resource of this id.',
        resolve: ({ otherKeyIds }) => [...otherKeyIds],
      }),
      answers: t.field({
        type: [answer],
        description:
          'How calls of the key that refer to the resource would be answered now, if the key is ' +
          'valid: one for each way and dialect, by the same code as a call. Nothing is sent. Empty if no key is known.',
        complexity: costOfDryRuns,
        resolve: (found, _args, context) =>
          found.isOfNone
            ? []
            : context.services.dryRuns.runInTurn(context, () =>
                answersFor(context.services, found, found.model),
              ),
      }),
    }),
  })
  builder.queryField('binding', (t) =>
    t.field({
      type: lookup,
      description:
        'Looks up the binding of an id as a call of its key does. Admins need not know the key.',
      authScopes: (_root, { keyId }) => (hasKey(keyId) ? { viewer: true } : { admin: true }),
      complexity: ({ keyId }) => (hasKey(keyId) ? 5 : effortOfWalk),
      args: {
        keyId: t.arg.id({
          description: 'The owner. Absent: it is looked for under each API key, for admins.',
        }),
        id: t.arg.string({ required: true, description: 'As the client knows it.' }),
        kind: t.arg.string({
          description:
            'Such as response. Absent: each known kind is tried, and an unknown id is answered as the id of a ' +
            'response.',
        }),
        model: t.arg.string({
          description:
            'Of a call that continues or names the resource. Absent: the model that made it, or ' +
            'one of its account.',
        }),
      },
      async resolve(_root, { keyId, id, kind, model }, context) {
        const { services } = context
        const { running } = services
        const asked = { id, kind: kind ?? undefined }
        const owners = hasKey(keyId)
          ? undefined
          : await readStore(context, (signal) => ownersOf(running, asked, signal))
        const [owner = keyId, ...otherKeyIds] = owners?.keyIds ?? []
        const shown = { otherKeyIds, model: model ?? undefined }
        if (owners && !hasKey(owner)) {
          const { state, reason } = owners
          const name = { kind: kind ?? '', keyId: '', id }
          return { state, reason, name, isOfNone: true, ...shown }
        }
        const found = await readStore(context, () =>
          findBinding(running, { ...asked, keyId: owner! }),
        )
        const reason = found.state === 'MISSING' ? await whyNoKey(services, owner!) : undefined
        return { ...found, ...(reason !== undefined && { reason }), ...shown }
      },
    }),
  )
  addForget(builder)
}

/** Few resources have more answers than two dry runs. */
const costOfDryRuns = 100

function hasKey(keyId: string | null | undefined): keyId is string {
  return keyId !== undefined && keyId !== null
}

/** A look-up, and the model of a call that would refer to the resource. */
type ShownLookup = BindingLookup & {
  readonly model: string | undefined
  readonly otherKeyIds: readonly string[]
  /** `true`: the binding was looked for under each key, and no key has it. */
  readonly isOfNone?: boolean
}

function addAnswer(builder: AdminBuilder) {
  const use = builder.enumType('BindingUse', {
    description:
      'CHAIN: a call continues the resource. READ: it reads the resource by its id. NAME: it names ' +
      'the data in its body: an item, a container, a file, spoken audio or a message.',
    values: bindingUses,
  })
  return builder.objectRef<BindingAnswer>('BindingAnswer').implement({
    description: 'How a call that refers to a resource would be answered now.',
    authScopes: { viewer: true },
    fields: (t) => ({
      use: t.expose('use', { type: use }),
      dialect: t.exposeString('dialect', { description: 'The dialect of the call.' }),
      status: t.exposeInt('status', {
        description: '200: the call goes to an account, or the gateway answers from its store.',
      }),
      code: t.exposeString('code', {
        nullable: true,
        description: 'The code of the error: previous_response_not_found and the like.',
      }),
      message: t.exposeString('message', {
        nullable: true,
        description: 'Why, as a client reads it.',
      }),
      accountId: t.id({ nullable: true, resolve: ({ account }) => account }),
      ...edgesOf(t, { account: ({ account }) => account }),
    }),
  })
}

/** A binding whose record is known, or one that was looked up. */
type ShownBinding = Omit<ListedBinding, 'recordId'> & { readonly recordId: string | null }

function addBinding(builder: AdminBuilder) {
  const hashed = 'Null where the store has only a hash of it.'
  return builder.objectRef<ShownBinding>('Binding').implement({
    description: 'The account that owns a resource, and how long a client can use it.',
    authScopes: { viewer: true },
    fields: (t) => ({
      recordId: t.exposeID('recordId', {
        nullable: true,
        description: 'The id of the record in the store; null for a look-up.',
      }),
      id: t.exposeID('id', { nullable: true, description: `As the client knows it. ${hashed}` }),
      kind: t.exposeString('kind', {
        nullable: true,
        description: `response, conversation, item, container, file, audio or message, or one of a plugin. ${hashed}`,
      }),
      keyId: t.exposeID('keyId', { nullable: true, description: `The owner. ${hashed}` }),
      accountId: t.id({
        nullable: true,
        description: 'Null for a resource that the gateway has made.',
        resolve: ({ binding: { account } }) => account || null,
      }),
      upstreamId: t.id({
        nullable: true,
        description: 'The id at the account, if it is another one.',
        resolve: ({ binding: { upstreamId } }) => upstreamId,
      }),
      model: t.string({
        nullable: true,
        description: 'The platform model; null where none made the resource.',
        resolve: ({ binding: { model } }) => model || null,
      }),
      isStored: t.boolean({
        description: 'Whether the gateway stores the content. It is never returned.',
        resolve: ({ binding: { kept } }) => kept !== undefined,
      }),
      chainUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'Until when a response may be continued; null: not, or not yet.',
        resolve: ({ binding: { chainUntil } }) => chainUntil,
      }),
      expiresAt: t.field({
        type: 'DateTime',
        description: 'From when it counts as unknown.',
        resolve: ({ binding: { expiresAt } }) => expiresAt,
      }),
      createdAt: t.field({ type: 'DateTime', resolve: createdAtOf }),
      ...edgesOf(t, {
        account: ({ binding: { account } }) => account,
        key: ({ keyId }) => keyId,
        model: ({ binding: { model } }) => model,
      }),
    }),
  })
}

function addFilter(builder: AdminBuilder) {
  return builder.inputType('BindingFilter', {
    description: 'All that are given must apply. Key and kind together read the fewest records.',
    fields: (t) => ({
      keyId: t.id(),
      accountId: t.id({ description: 'Empty: resources that the gateway has made.' }),
      kind: t.string({ description: 'Such as response or conversation.' }),
      createdAfter: t.field({ type: 'DateTime' }),
      createdBefore: t.field({ type: 'DateTime' }),
    }),
  })
}

/** A filter with an absent member for null. */
function filterOf(input: {
  readonly [Name in keyof BindingFilter]: BindingFilter[Name] | null
}): BindingFilter {
  const { keyId, accountId, kind, createdAfter, createdBefore } = input
  return {
    keyId: keyId ?? undefined,
    accountId: accountId ?? undefined,
    kind: kind ?? undefined,
    createdAfter: createdAfter ?? undefined,
    createdBefore: createdBefore ?? undefined,
  }
}

function addForget(builder: AdminBuilder): void {
  const input = builder.inputType('ForgetBindingInput', {
    fields: (t) => ({
      keyId: t.id({ required: true }),
      id: t.string({ required: true }),
      kind: t.string({ required: true, description: '`*`: the one that there is, of any kind.' }),
      reason: t.string({ required: true, description: 'For the audit record.' }),
    }),
  })
  const success = builder.objectRef<{ recordedId: string }>('ForgetBindingSuccess').implement({
    authScopes: { viewer: true },
    fields: (t) => ({ id: t.exposeID('recordedId') }),
  })
  addAct(builder, {
    name: 'forgetBinding',
    description:
      'Forgets a binding, and the content if the gateway stores it: from now on its id is unknown. ' +
      'The account keeps what it has.',
    role: 'operator',
    action: 'binding.forget',
    input,
    success,
    target: auditTargetOf,
    async run(asked, { services: { running } }) {
      const { state, isDamaged, binding, name } = await findBinding(running, asked)
      if (state === 'MISSING') return { failure: 'NotFound', message: noBinding(asked) }
      if (!binding && !isDamaged) return storeUnavailable()
      const { keyId, id, kind } = name
      await running.shared.bindings?.forget(name, itemsOf(running.plugins, kind))
      const known = binding && { accountId: binding.account, model: binding.model }
      return {
        done: { recordedId: id },
        changes: { before: { keyId, kind, ...(known ?? { damaged: true }) } },
      }
    },
  })
}
