import type { RequestListener } from 'node:http'

import type { Settings } from '../configuration/settings.ts'
import type { Log } from '../lib/log.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import { createAuditLog } from './audit.ts'
import { type AdminToken, createAuthenticate } from './authenticate.ts'
import { createAdminListener } from './server.ts'
import type { AdminServices } from './services.ts'

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
}

/** The admin API of a running gateway. */
export interface RunningAdmin extends AsyncDisposable {
  /** For `node:http`. */
  readonly listener: RequestListener
  readonly services: AdminServices
}

/** Starts the admin API. It does not listen; pass `listener` to a server. */
export async function startAdmin(options: AdminOptions): Promise<RunningAdmin> {
  const { running, settings, log, tokens, others, now = Date.now } = options
  const audit = createAuditLog({ store: running.store, now })
  const services: AdminServices = { running, settings, audit, log, now }
  return {
    listener: createAdminListener({
      services,
      authenticate: createAuthenticate(() => tokens, now),
      others,
    }),
    services,
    [Symbol.asyncDispose]: async () => {},
  }
}
