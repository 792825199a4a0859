import type { Role } from '../contract/roles.ts'

/** An address to listen on. */
export interface Address {
  host?: string
  port?: number
}

/** The admin address, who may use the admin API, and how browsers and proxies reach it. */
export interface AdminConfig extends Address {
  /** Admin tokens, in addition to those that `dragoman admin-tokens create` puts into the store. */
  tokens?: AdminTokenConfig[]
  /**
   * Hosts at which browsers and proxies reach the admin address, with or without a port, besides
   * loopback addresses and the address itself. With any other Host only probes are answered.
   */
  allowedHosts?: string[]
  /** Proxies before the admin address, as the top-level `trustedProxies`. */
  trustedProxies?: string[]
  /**
   * Where credentials of accounts of the store may be: `env:NAME` and `file:/path`, with `*` for any
   * characters but a slash. Default: `env:*_API_KEY` and `file:/run/secrets/*`.
   */
  credentials?: string[]
  /** Sign-in by OpenID Connect. Default: none. */
  oidc?: OidcConfig
}

/** A token of the admin API. Exactly one of `secret` and `hash`. */
interface AdminTokenConfig {
  /** Identifies the token in the audit log. */
  id: string
  /** The token that operators send; `env:NAME` reads it from the environment. */
  secret?: string
  /** `sha256:` and the 64 hex digits of the secret's SHA-256, to keep the secret out of the file. */
  hash?: string
  role: Role
  /** An ISO 8601 time with its zone, a `Date`, or milliseconds since 1970. Default: never. */
  expiresAt?: string | Date | number
}

/** A provider of OpenID Connect, and the roles of its groups. */
interface OidcConfig {
  /** With https, or with http on a loopback address. */
  issuer: string
  clientId: string
  /** `env:NAME` reads it from the environment. */
  clientSecret: string
  /** Default: `openid`, `profile`, `email`. */
  scopes?: string[]
  /** The claim that has a list of groups. Default: `groups`. */
  groupsClaim?: string
  /** The role of each group. A user without any of them cannot sign in. */
  roles: Record<string, Role>
  /** Default: `/session/oidc/callback` at the host that the browser names. */
  redirectUrl?: string
}
