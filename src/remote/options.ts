import type { DnsLookup } from './dial.ts'
import type { GuardOptions } from './guard.ts'
import { type MediaTypes, checkMediaTypes, defaultMediaTypes } from './media-type.ts'

/**
 * How the gateway fetches remote files of clients. `allow`, `forbid` and `nat64` limit the
 * addresses that it may reach; by default the public internet only. It does not use proxies from the
 * environment, since a proxy would connect to unchecked addresses.
 */
export interface RemoteOptions extends GuardOptions {
  /** Whether `http:` URLs are allowed. Redirects from `https:` to `http:` never are. Default false. */
  readonly allowHttp?: boolean
  /** The largest file, in bytes. Default 20 MiB. */
  readonly maxBytes?: number
  /**
   * The most bytes of all files of a request, before base64. A file counts once per use. Default
   * 50 MiB.
   */
  readonly maxTotalBytes?: number
  /** The most different URLs in a request; 0 disables fetching. Default 20. */
  readonly maxFiles?: number
  /** The time for one file, from connecting to the last byte, redirects included. Default 10,000. */
  readonly timeoutMs?: number
  /** The time for all files of a request, waiting included. Default 30,000. */
  readonly totalTimeoutMs?: number
  /** The most redirects for one file. Default 3. */
  readonly maxRedirects?: number
  /** The most files of one request to fetch concurrently. Default 4. */
  readonly concurrencyOfRequest?: number
  /**
   * The most files of all requests to fetch concurrently; one API key fetches at most half as many. Other files wait
   * for at most `timeoutMs`. Default 32.
   */
  readonly concurrency?: number
  /**
   * The accepted content types, preferred ones first; `image/*` matches any image. Default: any image,
   * any audio, and PDF and any text as files.
   */
  readonly mediaTypes?: Partial<MediaTypes>
  /** Certificate authorities, in PEM, that replace the well-known ones. */
  readonly ca?: string
  /** Resolves names to addresses. Default: the system's resolver. */
  readonly lookup?: DnsLookup
}

const mebibyte = 1024 * 1024

const defaults = {
  allowHttp: false,
  maxBytes: 20 * mebibyte,
  maxTotalBytes: 50 * mebibyte,
  maxFiles: 20,
  timeoutMs: 10_000,
  totalTimeoutMs: 30_000,
  maxRedirects: 3,
  concurrencyOfRequest: 4,
  concurrency: 32,
} as const satisfies RemoteOptions

/** The options with all defaults applied. */
export type RemoteSettings = Omit<RemoteOptions, 'mediaTypes'> &
  Required<Pick<RemoteOptions, keyof typeof defaults>> & { readonly mediaTypes: MediaTypes }

/** The longest timer of Node.js; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/** The smallest and largest value of each number. */
const bounds = {
  maxBytes: [1, Number.MAX_SAFE_INTEGER],
  maxTotalBytes: [1, Number.MAX_SAFE_INTEGER],
  maxFiles: [0, Number.MAX_SAFE_INTEGER],
  timeoutMs: [1, maxTimerMs],
  totalTimeoutMs: [1, maxTimerMs],
  maxRedirects: [0, Number.MAX_SAFE_INTEGER],
  concurrencyOfRequest: [1, Number.MAX_SAFE_INTEGER],
  concurrency: [1, Number.MAX_SAFE_INTEGER],
} as const satisfies Partial<Record<keyof RemoteOptions, readonly [number, number]>>

/** Applies the defaults. Throws `TypeError` for an invalid number or content type. */
export function withDefaults(options: RemoteOptions): RemoteSettings {
  const mediaTypes = { ...defaultMediaTypes, ...options.mediaTypes }
  const settings: RemoteSettings = { ...defaults, ...options, mediaTypes }
  for (const [name, [least, most]] of Object.entries(bounds)) {
    const value = settings[name as keyof typeof bounds]
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new TypeError(`\`${name}\` must be a whole number from ${least} to ${most}.`)
    }
  }
  checkMediaTypes(mediaTypes)
  return settings
}
