import { actsOf } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import type { Principal } from '../principal.ts'
import { isAtLeast } from '../roles.ts'
import { enumsOf } from './enums.ts'

/** Adds `viewer`: who asks. */
export function addViewer(builder: AdminBuilder): void {
  const { role } = enumsOf(builder)
  const viewer = builder.objectRef<Principal>('Viewer').implement({
    description: 'Who asks.',
    authScopes: { viewer: true },
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The id of the token, or of the token of the session.' }),
      role: t.expose('role', { type: role }),
      expiresAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When the token or the session ends.',
        resolve: ({ expiresAt }) => expiresAt,
      }),
      idleUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description:
          'When the session ends if nobody uses it until then. Streams and requests with `x-dragoman-background: 1` do not prolong it. Null for a token.',
        resolve: ({ idleUntil }) => idleUntil,
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

/** Adds the acts that a viewer may do, once all acts are there. */
export function addPermittedActs(builder: AdminBuilder): void {
  const acts = [...actsOf(builder)]
  const act = builder.enumType('Act', {
    description: 'The fields of `Mutation`, in upper case.',
    values: Object.fromEntries(acts.map(([name]) => [upperCase(name), { value: name }])),
  })
  builder.objectField('Viewer' as never, 'may', (t) =>
    t.field({
      type: [act],
      description: 'The acts that the role permits.',
      authScopes: { viewer: true },
      resolve: (_viewer, _args, { principal: { role } }) =>
        acts.flatMap(([name, needed]) => (isAtLeast(role, needed) ? [name] : [])),
    }),
  )
}

/** `disableAccount` as `DISABLE_ACCOUNT`. */
function upperCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()
}
