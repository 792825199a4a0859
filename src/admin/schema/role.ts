import type { AdminBuilder } from '../builder.ts'
import { roles } from '../roles.ts'

/** Adds the roles as the enum `Role`. */
function addRole(builder: AdminBuilder) {
  return builder.enumType('Role', {
    description: 'Each role may do all that those before it may.',
    values: roles,
  })
}

const refs = new WeakMap<AdminBuilder, ReturnType<typeof addRole>>()

/** The enum `Role` of a schema. */
export function roleOf(builder: AdminBuilder): ReturnType<typeof addRole> {
  const role = refs.get(builder) ?? addRole(builder)
  refs.set(builder, role)
  return role
}
