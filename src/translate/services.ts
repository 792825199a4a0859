import type { SignedParts, TranslationServices } from '../contract/services.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import type { Log } from '../lib/log.ts'
import { createRemoteClient } from '../remote/client.ts'
import { createRemoteFetch } from '../remote/fetch.ts'
import { createInlineRemote } from '../remote/inline.ts'
import { type RemoteOptions, withDefaults } from '../remote/options.ts'
import { openMemoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import { createSignatureMemory } from './signatures.ts'

export interface TranslationOptions {
  /** Default: `drop`. */
  readonly losses?: LossPolicy
  /** How remote files of clients are fetched for accounts that take no URL. */
  readonly remote?: RemoteOptions
  /** Where signatures are kept. Default: in the memory of the process. */
  readonly store?: Pick<Store, 'records'>
  readonly log?: Pick<Log, 'warn'>
}

/** Throws `TypeError` where an option is malformed. */
export function createTranslationServices({
  losses = 'drop',
  remote,
  store = openMemoryStore(),
  log = { warn() {} },
}: TranslationOptions): TranslationServices {
  return {
    policy: losses,
    inline: createInlineRemote(remote),
    limits: withDefaults(remote ?? {}),
    fetch: createRemoteFetch(remote),
    remote: createRemoteClient(remote),
    signatures: createSignatureMemory(store.records<SignedParts>('signatures'), log),
  }
}
