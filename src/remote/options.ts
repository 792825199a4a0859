import type { DnsLookup } from './dial.ts'
import type { GuardOptions } from './guard.ts'
import { type MediaTypes, checkMediaTypes, defaultMediaTypes } from './media-type.ts'

/**
 * How remote files of clients are fetched. `allow`, `forbid`, `ports` and `nat64` say what may be
 * reached: by default all of the public internet and nothing else. Proxies of the environment are
 * not used: they would connect to addresses that nobody has checked.
 */
export interface RemoteOptions extends GuardOptions {
  /** Whether `http:` will do. No redirect leads from `https:` to it even so. Default false. */
  readonly allowHttp?: boolean
  /** Of one file. Default 20 MiB. */
  readonly maxBytes?: number
  /** Of all files of a request, each as often as it is used, before they are base64. Default 50 MiB. */
  readonly maxTotalBytes?: number
  /** Different URLs in a request; 0 fetches none. Default 20. */
  readonly maxFiles?: number
  /** For one file, from the first connection to the last byte, redirects included. Default 10,000. */
  readonly timeoutMs?: number
  /** For all files of a request, waiting included. Default 30,000. */
  readonly totalTimeoutMs?: number
  /** Default 3. */
  readonly maxRedirects?: number
  /** Files of one request that are fetched at once. Default 4. */
  readonly filesAtOnce?: number
  /** Files of all requests that are fetched at once; others wait for at most `timeoutMs`. Default 32. */
  readonly concurrency?: number
  /**
   * Content types that are accepted, those that are liked best in front; `image/*` is any picture.
   * Default: pictures and sounds of any type, and PDF and any text as files.
   */
  readonly mediaTypes?: Partial<MediaTypes>
  /** Certificate authorities instead of the well-known ones, in PEM. */
  readonly ca?: string
  /** Finds the addresses of names; absent, the system's. */
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
  filesAtOnce: 4,
  concurrency: 32,
} as const satisfies RemoteOptions

/** Options of which none with a default is absent. */
export type RemoteSettings = Omit<RemoteOptions, 'mediaTypes'> &
  Required<Pick<RemoteOptions, keyof typeof defaults>> & { readonly mediaTypes: MediaTypes }

/** A longer timer would fire at once. */
const longest = 2 ** 31 - 1

/** The least and the most that a number may be. */
const bounds = {
  maxBytes: [1, Number.MAX_SAFE_INTEGER],
  maxTotalBytes: [1, Number.MAX_SAFE_INTEGER],
  maxFiles: [0, Number.MAX_SAFE_INTEGER],
  timeoutMs: [1, longest],
  totalTimeoutMs: [1, longest],
  maxRedirects: [0, Number.MAX_SAFE_INTEGER],
  filesAtOnce: [1, Number.MAX_SAFE_INTEGER],
  concurrency: [1, Number.MAX_SAFE_INTEGER],
} as const satisfies Partial<Record<keyof RemoteOptions, readonly [number, number]>>

/** Throws a `TypeError` where a number or a content type is none. */
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
