import type { AdminBuilder } from '../builder.ts'
import type { Principal } from '../principal.ts'
import { roleOf } from './role.ts'

/** Adds `viewer`: who asks. */
export function addViewer(builder: AdminBuilder): void {
  const role = roleOf(builder)
  const viewer = builder.objectRef<Principal>('Viewer').implement({
    description: 'Who asks.',
    authScopes: { viewer: true },
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The id of the token, or of that of the session.' }),
      role: t.expose('role', { type: role }),
      expiresAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When the token or the session ends.',
        resolve: ({ expiresAt }) => expiresAt,
      }),
    }),
  })
  builder.queryField('viewer', (t) =>
    t.field({
      type: viewer,
      description: 'Who asks, and what they may do.',
      authScopes: { viewer: true },
      resolve: (_root, _args, { principal }) => principal,
    }),
  )
}
