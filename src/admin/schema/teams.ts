import { addAct } from '../act.ts'
import type { AdminBuilder, InputFields } from '../builder.ts'
import { complexityOfPage, namedAfter, pageOf, sliceAfter } from '../connections.ts'
import { actorOf } from '../principal.ts'
import { catchUpWith } from '../read-store.ts'
import { type TeamView, createTeam, listTeamViews, removeTeam, updateTeam } from '../teams.ts'
import { enumsOf } from './enums.ts'
import { addIdPayload, addRecordPayload, versionFields } from './payloads.ts'

/** Adds the teams of keys and the acts on them. */
export function addTeams(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const { managedBy } = enumsOf(builder)
  const team = builder.objectRef<TeamView>('Team').implement({
    description: 'API keys with common models and limits.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.string({
        nullable: true,
        description: 'The name that people know.',
        resolve: (one) => one.name,
      }),
      models: t.stringList({
        nullable: true,
        description:
          'Names and patterns of the models that its keys may use, each as far as its own models permit. null: all.',
        resolve: ({ models }) => models && [...models],
      }),
      managedBy: t.expose('managedBy', { type: managedBy }),
      problem: t.string({
        nullable: true,
        description: 'The configuration file and the store have it. null: one of the two.',
        resolve: (one) => one.problem,
      }),
      ...versionFields(t),
    }),
  })
  builder.queryField('teams', (t) =>
    t.connection(
      {
        type: team,
        description:
          'The teams of the configuration file and the store, in the order of their ids. While the store is away, those that were known last.',
        authScopes,
        complexity: complexityOfPage,
        async resolve(_root, page, context) {
          const { services } = context
          await catchUpWith(context, 'teams', services.running.storedTeams)
          const idOf = ({ id }: TeamView) => id
          return pageOf(page, idOf, (part) => sliceAfter(listTeamViews(services), idOf, part))
        },
      },
      ...namedAfter('Team'),
    ),
  )
  builder.queryField('team', (t) =>
    t.field({
      type: team,
      nullable: true,
      description: 'The team of an id; null for an unknown id.',
      authScopes,
      args: { id: t.arg.id({ required: true }) },
      async resolve(_root, { id }, context) {
        const { services } = context
        await catchUpWith(context, 'team', services.running.storedTeams)
        return listTeamViews(services).find((one) => one.id === id)
      },
    }),
  )
  const target = ({ id }: { id: string }) => ({ type: 'team', id })
  addAct(builder, {
    name: 'createTeam',
    description: 'Creates a team. Every process has it within two seconds.',
    role: 'admin',
    action: 'team.create',
    input: builder.inputType('CreateTeamInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        ...settingsFields(t, 'Absent or null'),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'CreateTeamSuccess', 'team', team),
    target,
    run: (input, { services, principal }) => createTeam(services, input, actorOf(principal)),
  })
  addAct(builder, {
    name: 'updateTeam',
    description: 'Changes the settings of a team: an absent one stays, null removes one.',
    role: 'admin',
    action: 'team.update',
    input: builder.inputType('UpdateTeamInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        ...settingsFields(t, 'Absent: unchanged. null'),
        expectedVersion: t.int({ description: 'The version that was read. Absent: any.' }),
        reason: t.string({ description: 'For the audit record.' }),
      }),
    }),
    success: addRecordPayload(builder, 'UpdateTeamSuccess', 'team', team),
    target,
    run: (input, { services, principal }) => updateTeam(services, input, actorOf(principal)),
  })
  addAct(builder, {
    name: 'deleteTeam',
    description:
      'Deletes a team that no key names, but for revoked ones, with its limits of the store.',
    role: 'admin',
    action: 'team.delete',
    input: builder.inputType('DeleteTeamInput', {
      fields: (t) => ({
        id: t.id({ required: true }),
        expectedVersion: t.int({ description: 'The version that was read. Absent: any.' }),
        reason: t.string({ required: true, description: 'For the audit record.' }),
      }),
    }),
    success: addIdPayload(builder, 'DeleteTeamSuccess'),
    target,
    run: (input, { services }) => removeTeam(services, input),
  })
}

/** `without` says which input means that the team has no such setting. */
function settingsFields(t: InputFields, without: string) {
  return {
    name: t.string({ description: `The name that people know. ${without}: the id.` }),
    models: t.stringList({ description: `Names and patterns. ${without}: all models.` }),
  }
}
