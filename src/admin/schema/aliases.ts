import type { FallbackSetting } from '../../contract/account.ts'
import { addAct } from '../act.ts'
import { type AliasView, listAliasViews, removeAlias, setAlias } from '../aliases.ts'
import type { AdminBuilder } from '../builder.ts'
import { actorOf } from '../principal.ts'
import { catchUpWith } from '../read-store.ts'
import { enumsOf } from './enums.ts'
import { addRecordPayload, versionFields } from './payloads.ts'

/** Adds the aliases of models and the acts on them. */
export function addAliases(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const { managedBy, replyModel, strategy, fallbackKind } = enumsOf(builder)
  const fallback = builder.objectRef<FallbackSetting>('Fallback').implement({
    description: 'A model that stands in when no account of another one can serve a call.',
    authScopes,
    fields: (t) => ({
      on: t.field({ type: [fallbackKind], resolve: (one) => [...one.on] }),
      model: t.exposeString('model', { description: 'A platform model, or another alias.' }),
    }),
  })
  const fallbackInput = builder.inputType('FallbackSetting', {
    fields: (t) => ({
      on: t.field({ type: [fallbackKind], required: true }),
      model: t.string({ required: true, description: 'A platform model, or another alias.' }),
    }),
  })
  const alias = builder.objectRef<AliasView>('Alias').implement({
    description: 'An additional name of a model.',
    authScopes,
    fields: (t) => ({
      name: t.exposeString('name'),
      model: t.exposeString('model', { description: 'A platform model, or another alias.' }),
      replyModel: t.field({ type: replyModel, nullable: true, resolve: (one) => one.replyModel }),
      strategy: t.field({ type: strategy, nullable: true, resolve: (one) => one.strategy }),
      fallbacks: t.field({
        type: [fallback],
        nullable: true,
        description: 'null: the fallbacks of the alias that it names.',
        resolve: (one) => one.fallbacks && [...one.fallbacks],
      }),
      managedBy: t.expose('managedBy', { type: managedBy }),
      problem: t.string({
        nullable: true,
        description: 'Why it is not in use. null: it is.',
        resolve: ({ problem }) => problem,
      }),
      ...versionFields(t),
    }),
  })
  builder.queryField('aliases', (t) =>
    t.field({
      type: [alias],
      description:
        'The aliases of the configuration file and the store, in the order of their names. ' +
        '`extensions.incomplete` names the field while the store is away: then the list is what was known last.',
      authScopes,
      complexity: { field: 1, multiplier: 5 },
      async resolve(_root, _args, context) {
        const { services } = context
        await catchUpWith(context, 'aliases', services.running.aliases)
        return listAliasViews(services)
      },
    }),
  )
  const target = ({ name }: { name: string }) => ({ type: 'alias', id: name })
  addAct(builder, {
    name: 'setAlias',
    description:
      'Creates or replaces an alias of the store. Every process has it within two seconds.',
    role: 'admin',
    action: 'alias.set',
    input: builder.inputType('SetAliasInput', {
      fields: (t) => ({
        name: t.string({ required: true }),
        model: t.string({
          required: true,
          description:
            'A platform model, or another alias. An alias that names itself sets the settings of the model.',
        }),
        replyModel: t.field({
          type: replyModel,
          description: 'Absent: unchanged. null: as the account.',
        }),
        strategy: t.field({
          type: strategy,
          description: 'Absent: unchanged. null: weights decide, or the alias that it names.',
        }),
        fallbacks: t.field({
          type: [fallbackInput],
          description:
            'Absent: unchanged. null: the fallbacks of the alias that it names, or none.',
        }),
        expectedVersion: t.int({
          description: 'The version that was read; 0: the alias is new. Absent: any.',
        }),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'SetAliasSuccess', 'alias', alias),
    target,
    run: (input, { services, principal }) => setAlias(services, input, actorOf(principal)),
  })
  addAct(builder, {
    name: 'removeAlias',
    description: 'Deletes an alias of the store, unless other aliases lead to it.',
    role: 'admin',
    action: 'alias.remove',
    input: builder.inputType('RemoveAliasInput', {
      fields: (t) => ({
        name: t.string({ required: true }),
        expectedVersion: t.int({ description: 'The version that was read. Absent: any.' }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: builder.objectRef<{ name: string }>('RemoveAliasSuccess').implement({
      authScopes,
      fields: (t) => ({ name: t.exposeString('name') }),
    }),
    target,
    run: (input, { services }) => removeAlias(services, input),
  })
}
