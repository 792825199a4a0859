import { collectPresets } from '../../accounts/compile.ts'
import type { DialectPreset } from '../../accounts/roots.ts'
import { dialectsOf } from '../../contract/plugin.ts'
import type { AdminBuilder } from '../builder.ts'
import type { AdminServices } from '../services.ts'

/** What accounts may be of: how they are set up, for a form. */
interface ProviderView {
  readonly name: string
  readonly speaks: readonly string[]
  readonly needsBaseUrl: boolean
  /** The fields of `AccountInput` that only some providers take. */
  readonly fields: readonly string[]
}

/** Adds `providers`: the providers that the gateway brings, and those of its plugins. */
export function addProviders(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const provider = builder.objectRef<ProviderView>('Provider').implement({
    description: 'What an account may be of, and what it then needs.',
    authScopes,
    fields: (t) => ({
      name: t.exposeString('name'),
      speaks: t.stringList({
        description: 'The dialects of its accounts, unless they name others.',
        resolve: ({ speaks }) => [...speaks],
      }),
      needsBaseUrl: t.exposeBoolean('needsBaseUrl', {
        description: 'Whether its accounts have no address but their `baseUrl`.',
      }),
      fields: t.stringList({
        description:
          'The fields of `CreateAccountInput` that its accounts take and those of some others do not, such as `region`.',
        resolve: ({ fields }) => [...fields],
      }),
    }),
  })
  builder.queryField('providers', (t) =>
    t.field({
      type: [provider],
      description: 'The providers that accounts may name, in the order of their names.',
      authScopes,
      complexity: 20,
      resolve: (_root, _args, { services }) => providersOf(services),
    }),
  )
}

function providersOf({ running }: Pick<AdminServices, 'running'>): ProviderView[] {
  const presets = collectPresets(dialectsOf(running.plugins))
  const views = [...presets].map(([name, preset]): ProviderView => {
    const { rows, speaks, settings = [], credentials = [] } = preset
    return {
      name,
      speaks,
      needsBaseUrl: !hasAddress([...rows.values()]),
      fields: [...settings, ...credentials],
    }
  })
  return views.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Whether a dialect has a base URL of its own: a path alone stands at the host of the account. */
function hasAddress(rows: readonly DialectPreset[]): boolean {
  return rows.some(({ baseUrl }) => {
    if (typeof baseUrl !== 'function') return baseUrl !== undefined && !baseUrl.startsWith('/')
    try {
      return !baseUrl({}).startsWith('/')
    } catch {
      // It depends on options: they say where the account is.
      return true
    }
  })
}
