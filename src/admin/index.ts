/**
 * The types of the admin API, for plugins that add to its schema: `import type { ... } from 'dragoman/admin'`.
 * The module loads nothing of the API, which may be off.
 */
export type { AdminBuilder, AdminTypes } from './builder.ts'
export type { AdminContext } from './context.ts'
export type { Principal } from './principal.ts'
export { isAtLeast, roles, type Role } from './roles.ts'
export type { AdminServices } from './services.ts'
