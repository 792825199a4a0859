/**
 * The types of the admin API, for plugins that add to its schema: `import type { ... } from 'dragoman/admin'`.
 * The module loads nothing of the API, which may be off.
 */
export type { ActResult } from './act.ts'
export type { ActFailure } from './failures.ts'
export type {
  PluginAct as AdminAct,
  PluginBuilder as AdminBuilder,
  PluginContext as AdminContext,
  PluginKit as AdminKit,
  PluginTypes as AdminTypes,
} from './plugin-api.ts'
export type { Principal } from './principal.ts'
export { isAtLeast, roles, type Role } from './roles.ts'
