import type { AdminBuilder } from '../builder.ts'
import { complexityOfWalk } from '../connections.ts'
import { type KeyView, type Label, keyStates } from '../key-view.ts'
import { countKeys, findKeyView, listKeyViews } from '../keys.ts'
import { readStore } from '../read-store.ts'
import { addCounts } from './counts.ts'
import { enumsOf } from './enums.ts'
import { addKeyActs } from './key-acts.ts'

/** Adds the API keys and the acts on them. */
export function addKeys(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const { managedBy, losses, errors } = enumsOf(builder)
  const state = builder.enumType('KeyState', {
    description:
      'DISABLED: by an operator or the configuration, until it is enabled. REVOKED: for ever. DAMAGED: the record in the store cannot be read, so that the key is rejected.',
    values: keyStates,
  })
  const label = builder.objectRef<Label>('Label').implement({
    authScopes,
    fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
  })
  const labelInput = builder.inputType('LabelInput', {
    fields: (t) => ({
      name: t.string({ required: true }),
      value: t.string({ required: true }),
    }),
  })
  const key = builder.objectRef<KeyView>('Key').implement({
    description: 'An API key. Its secret is in the payload of createKey and rotateKey only.',
    authScopes,
    fields: (t) => {
      const time = (name: TimeOf<KeyView>, description: string) =>
        t.field({ type: 'DateTime', nullable: true, description, resolve: (one) => one[name] })
      return {
        id: t.exposeID('id', { description: 'What clients store belongs to it.' }),
        state: t.expose('state', { type: state }),
        stateReason: t.string({
          nullable: true,
          description: 'Why it is disabled; null: it is not.',
          resolve: (one) => one.stateReason,
        }),
        managedBy: t.expose('managedBy', { type: managedBy }),
        problem: t.string({
          nullable: true,
          description:
            'The configuration file and the store have the key, or its team does not exist, so that it may use no model. null: neither.',
          resolve: (one) => one.problem,
        }),
        models: t.stringList({
          nullable: true,
          description: 'Names and patterns of the models that it may use. null: all.',
          resolve: ({ models }) => models && [...models],
        }),
        team: t.id({
          nullable: true,
          description: 'The team that it belongs to.',
          resolve: (one) => one.team,
        }),
        labels: t.field({
          type: [label],
          description: 'Words about it for operators, in the order of their names.',
          complexity: 0.5,
          resolve: ({ labels = {} }) =>
            Object.entries(labels)
              .map(([name, value]) => ({ name, value }))
              .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
        }),
        explain: t.boolean({
          description: 'Whether its callers may see how calls are routed.',
          resolve: (one) => one.explain ?? false,
        }),
        losses: t.field({
          type: losses,
          nullable: true,
          description: 'null: as the configuration says.',
          resolve: (one) => one.losses,
        }),
        errors: t.field({
          type: errors,
          nullable: true,
          description: 'null: as the configuration says.',
          resolve: (one) => one.errors,
        }),
        createdAt: time('createdAt', 'null: the configuration file has it.'),
        createdBy: t.string({
          nullable: true,
          description: 'The kind and the id of an actor, such as token:ops.',
          resolve: (one) => one.createdBy,
        }),
        rotatedAt: time('rotatedAt', 'When it got its present secret.'),
        graceUntil: time('graceUntil', 'When its former secret ends, while that works.'),
        revokedAt: time('revokedAt', 'null: it is not revoked, or by an earlier version.'),
        expiresAt: time('expiresAt', 'null: never.'),
        lastUsedAt: time('lastUsedAt', 'A minute late at most. null: never.'),
        version: t.int({
          nullable: true,
          description: 'For expectedVersion. null: the configuration file has it.',
          resolve: (one) => one.version,
        }),
      }
    },
  })
  const filter = builder.inputType('KeyFilter', {
    fields: (t) => ({
      state: t.field({ type: state }),
      team: t.id({ description: 'The keys of a team.' }),
      search: t.string({
        description:
          'The keys with this text in their id or in a label, as `name=value`, whatever the case of its letters.',
      }),
      label: t.field({ type: labelInput, description: 'The keys with a label of this value.' }),
    }),
  })
  const connection = builder.connectionObject(
    { type: key, name: 'KeyConnection' },
    {
      name: 'KeyEdge',
    },
  )
  addCounts(builder, {
    noun: 'Key',
    connection,
    state,
    async count({ services }) {
      await services.running.keys.catchUp()
      return countKeys(services)
    },
  })
  builder.queryField('keys', (t) =>
    t.connection(
      {
        type: key,
        // While the store is away, the others of the operation are answered.
        nullable: true,
        description:
          'The API keys, in the order of their ids. A page with a filter may be short; its cursor leads on.',
        authScopes,
        args: { filter: t.arg({ type: filter }) },
        complexity: complexityOfWalk,
        resolve: (_root, page, context) =>
          readStore(context, (signal) =>
            listKeyViews(context.services, page, page.filter ?? {}, signal),
          ),
      },
      connection,
    ),
  )
  builder.queryField('key', (t) =>
    t.field({
      type: key,
      nullable: true,
      description: 'The API key of an id; null for an unknown id.',
      authScopes,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) =>
        readStore(context, () => findKeyView(context.services, id)),
    }),
  )
  addKeyActs(builder, key, labelInput)
}

/** The members of a view that are times. */
type TimeOf<View> = Exclude<Extract<keyof View, `${string}At` | `${string}Until`>, undefined>
