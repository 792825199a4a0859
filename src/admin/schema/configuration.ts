import type { DescribedSetting } from '../../configuration/settings.ts'
import type { AdminBuilder } from '../builder.ts'
import { settingsBelow } from '../../configuration/with-store.ts'
import { followedAccounts } from '../accounts/catch-up.ts'
import { catchUpWith } from '../read-store.ts'
import type { AdminServices } from '../services.ts'

/** The most settings in one answer. A gateway may have 10,000 accounts. */
const mostSettings = 1_000

/** Adds `configuration`: the settings that take effect, where they come from, and what a reload met. */
export function addConfiguration(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const setting = settingType(builder)
  const configuration = builder.objectRef<AdminServices>('Configuration').implement({
    description:
      'The configuration of this process. Secrets are shown as set, env:NAME or file:PATH.',
    authScopes,
    fields: (t) => ({
      settings: t.field({
        type: [setting],
        description: `The values that take effect; at most ${mostSettings}.`,
        args: {
          section: t.arg.string({ description: 'Only those below: limits, accounts[3].' }),
          skip: t.arg.int({ description: 'Leaves out so many at the beginning.' }),
        },
        complexity: { field: 50 },
        async resolve(services, { section, skip }) {
          const from = Math.max(0, skip ?? 0)
          return (await sectionOf(services, section)).slice(from, from + mostSettings)
        },
      }),
      settingsCount: t.int({
        description: 'The number of all settings of the section.',
        args: { section: t.arg.string() },
        complexity: { field: 50 },
        resolve: async (services, { section }) => (await sectionOf(services, section)).length,
      }),
      problems: t.field({
        type: ['Problem'],
        description:
          'Why this process refused the last reload. Empty: it did not, but another may have: see `gateway`.',
        resolve: (one) => one.configuration.problems.slice(0, mostSettings),
      }),
      needsRestart: t.stringList({
        description: 'Settings of the file that take effect after a restart.',
        resolve: (one) => [...one.configuration.needsRestart],
      }),
      hash: t.string({
        description:
          'Equal for processes with the same values. Secrets, origins, addresses, store, spool and publicUrl do not count.',
        resolve: (one) => one.configuration.hash(),
      }),
      loadedAt: t.field({ type: 'DateTime', resolve: (one) => one.configuration.loadedAt }),
      file: t.string({
        nullable: true,
        description: 'The name of the file, without its directory.',
        resolve: (one) => one.configuration.file,
      }),
    }),
  })
  builder.queryField('configuration', (t) =>
    t.field({
      type: configuration,
      description:
        'The settings that take effect, and the origin of each. `extensions.incomplete` names the field while the store is away: then its accounts and aliases are those that were known last.',
      authScopes,
      async resolve(_root, _args, context) {
        const { services } = context
        const { aliases } = services.running
        await catchUpWith(context, 'configuration', followedAccounts(services), aliases)
        return services
      },
    }),
  )
}

function sectionOf(
  { configuration, running }: AdminServices,
  section: string | null | undefined,
): Promise<readonly DescribedSetting[]> {
  return settingsBelow(configuration, running.accounts.snapshot, section ?? '')
}

function settingType(builder: AdminBuilder) {
  const origin = builder.enumType('SettingOrigin', {
    description:
      'Where a value comes from. A flag goes before the environment, that before the file.',
    values: ['FLAG', 'ENVIRONMENT', 'FILE', 'STORE', 'DEFAULT'] as const,
  })
  return builder.objectRef<DescribedSetting>('Setting').implement({
    description: 'A setting that takes effect.',
    authScopes: { viewer: true },
    fields: (t) => ({
      path: t.exposeString('path', { description: 'Such as `limits.attempts`.' }),
      value: t.field({ type: 'JSON', nullable: true, resolve: ({ value }) => value }),
      origin: t.expose('origin', { type: origin }),
    }),
  })
}
