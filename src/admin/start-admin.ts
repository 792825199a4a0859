import type { RequestListener } from 'node:http'

import type { GraphQLSchema } from 'graphql'

import type { Settings } from '../configuration/settings.ts'
import type { Log } from '../lib/log.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import { accessOf } from './access.ts'
import { createAuditLog } from './audit.ts'
import { type AdminToken, createAuthenticate } from './authenticate.ts'
import { createRightsOf } from './grants.ts'
import type { AdminLimits } from './limits.ts'
import { createAdminListener } from './server.ts'
import type { AdminServices } from './services.ts'
import { createSessions } from './sessions.ts'

/** Options of `startAdmin`. */
interface AdminOptions {
  readonly running: RunningGateway
  /** The configuration that is in use now. */
  readonly settings: () => Settings
  readonly log: Log
  /** The admin tokens of the configuration and the environment. */
  readonly tokens: readonly AdminToken[]
  /** Serves all paths that are not of the admin API: health and metrics. */
  readonly others: RequestListener
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Replaces limits. For tests. */
  readonly limits?: Partial<AdminLimits>
  /** Replaces the schema. For tests. */
  readonly schema?: GraphQLSchema
}

/** The admin API of a running gateway. */
export interface RunningAdmin extends AsyncDisposable {
  /** For `node:http`. */
  readonly listener: RequestListener
  readonly services: AdminServices
}

/** Starts the admin API. It does not listen; pass `listener` to a server. */
export async function startAdmin(options: AdminOptions): Promise<RunningAdmin> {
  const { running, settings, log, tokens, others, limits, schema, now = Date.now } = options
  const audit = createAuditLog({ store: running.store, now })
  const findToken = (wanted: string) => tokens.find(({ id }) => id === wanted)
  const rightsOf = createRightsOf({ findToken, oidc: () => accessOf(settings()).oidc, now })
  const sessions = createSessions({ store: running.store, rightsOf, now })
  const services: AdminServices = { running, settings, audit, sessions, log, now }
  return {
    listener: createAdminListener({
      services,
      authenticate: createAuthenticate(() => tokens, now),
      findToken,
      others,
      ...(limits && { limits }),
      ...(schema && { schema }),
    }),
    services,
    [Symbol.asyncDispose]: async () => {},
  }
}
