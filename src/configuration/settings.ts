import { tmpdir } from 'node:os'

import type { CaptureSetting } from '../capture/settings.ts'
import type { AccountSetting, AliasSettings } from '../contract/account.ts'
import type { PriceSettings } from '../contract/prices.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Role } from '../contract/roles.ts'
import { defaultLimits, defaultTimeouts } from '../contract/limits.ts'
import { defaultImageModels } from '../media/image.ts'
import { withDefaults } from '../remote/options.ts'
import { type UploadsSetting, defaultUploads } from '../storage/settings.ts'
import { type TelemetrySetting, defaultTelemetry } from '../telemetry/settings.ts'
import { type CredentialPlacesSetting, defaultCredentialPlaces } from './credential-places.ts'
import { defaultAdmin, defaultListen } from './default-addresses.ts'
import { type LogSetting, defaultLog } from './log-config.ts'
import type {
  Config,
  ImageModelsConfig,
  KeyConfig,
  LimitsConfig,
  RemoteConfig,
  TimeoutsConfig,
} from './config.ts'

/** A checked configuration with all defaults applied and all secrets resolved. */
export interface Settings {
  listen: Endpoint
  /** False: no admin API, and no admin address. */
  admin: Endpoint | false
  /** The admin tokens of the configuration and the environment. Absent: none. */
  adminTokens?: AdminTokenSetting[]
  /** Absent: loopback addresses only, no proxy, no provider of OpenID Connect. */
  adminAccess?: AdminAccessSetting
  /** Where credentials of stored accounts may be. */
  credentialPlaces: CredentialPlacesSetting
  /** `file:DIR`, `memory:` or the URL of a Redis. */
  store: string
  keys: KeySetting[]
  accounts: AccountSetting[]
  aliases: AliasSettings
  prices: PriceSettings
  errors: NonNullable<Config['errors']>
  limits: Required<LimitsConfig>
  timeouts: Required<TimeoutsConfig>
  /** Absolute path of the directory for forms above 1 MiB. */
  spool: string
  clientGone: NonNullable<Config['clientGone']>
  samplingFields: NonNullable<Config['samplingFields']>
  unknownIds: NonNullable<Config['unknownIds']>
  losses: NonNullable<Config['losses']>
  /** Absent: unknown. */
  publicUrl?: string
  /** Addresses, networks and words for networks. */
  trustedProxies: string[]
  uploads: UploadsSetting
  imageModels: Required<ImageModelsConfig>
  remote: RemoteSetting
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
  /** `accounts[0].apiKey`, `limits.jsonDepth`. */
  readonly path: string
  /** JSON. Of a secret: `set`, or the `env:NAME` or `file:PATH` that the configuration has. */
  readonly value: unknown
  readonly origin: Origin
}

/** An address to listen on. */
export interface Endpoint {
  host: string
  port: number
}

/** How browsers and proxies reach the admin address, and who signs in by OpenID Connect. */
export interface AdminAccessSetting {
  /** Names and addresses, each with or without a port. */
  allowedHosts: string[]
  /** Addresses and networks. */
  trustedProxies: string[]
  oidc?: OidcSetting
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

/**
 * An API key without its secret. `hash` is `sha256:` and 64 hex digits; `expiresAt` is in milliseconds
 * since 1970.
 */
export interface KeySetting extends Pick<KeyConfig, 'id' | 'models' | 'explain' | 'losses'> {
  hash: string
  expiresAt?: number
  disabled: boolean
}

/** An admin token without its secret. `expiresAt` is in milliseconds since 1970. */
export interface AdminTokenSetting {
  id: string
  /** `sha256:` and 64 hex digits. */
  hash: string
  role: Role
  expiresAt?: number
}

/** The settings of remote files. Without `ports`, all ports are permitted. */
export type RemoteSetting = Required<Omit<RemoteConfig, 'ports'>> & Pick<RemoteConfig, 'ports'>

// The other limits and timeouts are not configurable.
const { holdBytes: _holdBytes, ...limits } = defaultLimits

const { outcomeMs: _outcomeMs, ...timeouts } = defaultTimeouts

const { allowHttp, maxBytes, maxTotalBytes, maxFiles, timeoutMs, totalTimeoutMs, maxRedirects } =
  withDefaults({})

/** The default settings. */
export const defaults: Settings & { readonly admin: Endpoint } = {
  listen: defaultListen,
  admin: defaultAdmin,
  credentialPlaces: { permitted: [...defaultCredentialPlaces], used: [] },
  store: 'file:.dragoman',
  keys: [],
  accounts: [],
  aliases: {},
  prices: {},
  errors: 'spec',
  limits,
  timeouts,
  spool: tmpdir(),
  clientGone: 'abort',
  samplingFields: 'adapt',
  unknownIds: 'refuse',
  losses: 'drop',
  trustedProxies: [],
  uploads: defaultUploads,
  imageModels: {
    ...defaultImageModels,
    legacy: [...defaultImageModels.legacy],
    later: [...defaultImageModels.later],
  },
  remote: {
    allowHttp,
    allow: [],
    forbid: [],
    maxBytes,
    maxTotalBytes,
    maxFiles,
    timeoutMs,
    totalTimeoutMs,
    maxRedirects,
  },
  capture: false,
  log: defaultLog,
  telemetry: defaultTelemetry,
  plugins: [],
}
