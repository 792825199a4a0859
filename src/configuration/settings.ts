import type { z } from 'zod'

import type { CaptureSetting } from '../capture/settings.ts'
import type { AccountSetting, AliasSettings } from '../contract/account.ts'
import type { Limits } from '../contract/limits.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { PriceSettings } from '../contract/prices.ts'
import type { QuotaSetting, TeamSetting } from '../contract/quota.ts'
import type { Role } from '../contract/roles.ts'
import type { UploadsSetting } from '../storage/settings.ts'
import type { TelemetrySetting } from '../telemetry/settings.ts'
import type { CredentialPlacesSetting } from './credential-places.ts'
import type { Endpoints } from './endpoints.ts'
import type { KeySetting } from './key-schema.ts'
import type { LogSetting } from './log-schema.ts'
import type { configSchema } from './schema.ts'

/** The parts of a configuration that are settings as the schema returns them. */
type Checked = Pick<
  z.output<typeof configSchema>,
  | 'errors'
  | 'timeouts'
  | 'clientGone'
  | 'history'
  | 'losses'
  | 'trustedProxies'
  | 'imageModels'
  | 'passthrough'
  | 'remote'
>

/** A checked configuration with all defaults applied and all secrets resolved. */
export interface Settings extends Checked, Endpoints {
  limits: Limits
  /** The admin tokens of the configuration and the environment. Absent: none. */
  adminTokens?: AdminTokenSetting[]
  /** Absent: loopback addresses only, no proxy, no provider of OpenID Connect. */
  adminAccess?: AdminAccessSetting
  /** Where credentials of stored accounts may be. */
  credentialPlaces: CredentialPlacesSetting
  keys: KeySetting[]
  accounts: AccountSetting[]
  teams: TeamSetting[]
  /** The quotas of the gateway. */
  quotas: readonly QuotaSetting[]
  alerts: AlertSetting
  aliases: AliasSettings
  prices: PriceSettings
  /** Absolute path of the directory for forms above 1 MiB. */
  spool: string
  uploads: UploadsSetting
  /** False: captures are not permitted. */
  capture: CaptureSetting | false
  log: LogSetting
  telemetry: TelemetrySetting
  plugins: GatewayPlugin[]
}

/** The place that a value of the configuration comes from. */
export type Origin = 'FLAG' | 'ENVIRONMENT' | 'FILE' | 'STORE' | 'DEFAULT'

/** A setting as operators see it: of a secret, only whether it is set. */
export interface DescribedSetting {
  /** `accounts[0].apiKey`, `limits.attempts`. */
  readonly path: string
  /** JSON. Of a secret: `set`, or the `env:NAME` or `file:PATH` that the configuration has. */
  readonly value: unknown
  readonly origin: Origin
}

/** How browsers and proxies reach the admin address, and who signs in by OpenID Connect. */
export interface AdminAccessSetting {
  /** Names and addresses, each with or without a port. */
  allowedHosts: string[]
  /** Addresses and networks. */
  trustedProxies: string[]
  /** Absent: the console is served. */
  console?: false
  /** The page of a trace, with `{traceId}` in the place of its id. */
  traceUrl?: string
  /** How long a session may rest, in milliseconds. Absent: the usual time. */
  sessionIdleMs?: number
  oidc?: OidcSetting
}

/** Who learns that budgets run out. */
interface AlertSetting {
  webhook?: { url: string; secret: string }
}

/** A provider of OpenID Connect. */
export interface OidcSetting {
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string[]
  groupsClaim: string
  /** The role of each group. */
  roles: Record<string, Role>
  redirectUrl?: string
}

/** An admin token without its secret. `expiresAt` is in milliseconds since 1970. */
export interface AdminTokenSetting {
  id: string
  /** `sha256:` and 64 hex digits. */
  hash: string
  role: Role
  expiresAt?: number
}
