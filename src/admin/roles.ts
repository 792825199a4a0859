import { type Role, roles } from '../contract/roles.ts'

export { type Role, roles }

/** Whether a role may do what `needed` may. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
