import { type Limits, defaultLimits } from '../contract/limits.ts'
import type { SignedParts, TranslationServices } from '../contract/services.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import type { JsonLimits } from '../lib/json/measure.ts'
import type { Log } from '../lib/log.ts'
import { createRemoteClient } from '../remote/client.ts'
import { createRemoteFetch } from '../remote/fetch.ts'
import { createInlineRemote } from '../remote/inline.ts'
import { createUnsentFetch } from '../remote/unsent.ts'
import { type RemoteOptions, withDefaults } from '../remote/options.ts'
import { openMemoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import { createSignatureMemory } from './signatures.ts'

/** The options of `createTranslationServices`. */
interface TranslationOptions {
  /** The policy for callers whose key has none. Default: `drop`. */
  readonly losses?: LossPolicy
  /** How the gateway fetches remote files of clients for accounts that do not support URLs. */
  readonly remote?: RemoteOptions
  /** The store for signatures. Default: the memory of the process. */
  readonly store?: Pick<Store, 'records'>
  readonly log?: Pick<Log, 'warn'>
  readonly limits?: Partial<JsonLimits & Pick<Limits, 'replyBytes'>>
}

/** Creates the services for the translation of one gateway. Throws `TypeError` for a malformed option. */
export function createTranslationServices({
  losses = 'drop',
  remote,
  store = openMemoryStore(),
  log = { warn() {} },
  limits: { jsonDepth, jsonValues, replyBytes } = {},
}: TranslationOptions): TranslationServices {
  const unsent = createUnsentFetch(remote)
  return {
    policy: losses,
    replyBytes: replyBytes ?? defaultLimits.replyBytes,
    inline: createInlineRemote(remote),
    limits: withDefaults(remote ?? {}),
    json: {
      jsonDepth: jsonDepth ?? defaultLimits.jsonDepth,
      jsonValues: jsonValues ?? defaultLimits.jsonValues,
    },
    fetch: createRemoteFetch(remote),
    remote: createRemoteClient(remote),
    unsent: { fetch: unsent, inline: createInlineRemote(remote, unsent) },
    signatures: createSignatureMemory(store.records<SignedParts>('signatures'), log),
  }
}
