import type { LossPolicy } from '../generate/losses.ts'
import type { Log } from '../log.ts'
import {
  createInlineRemote,
  createRemoteClient,
  createRemoteFetch,
  type InlineRemote,
  type RemoteClient,
  type RemoteFetch,
  type RemoteLimits,
  type RemoteOptions,
  withDefaults,
} from '../remote/index.ts'
import { openMemoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import { createSignatureMemory, type Signed, type SignatureMemory } from './signatures.ts'

/** What translation needs besides the codecs. One for a gateway. */
export interface TranslationServices {
  /** For callers whose key says nothing of it. */
  readonly policy: LossPolicy
  readonly inline: InlineRemote
  /** How much of clients' files goes into requests. */
  readonly limits: RemoteLimits
  /** Fetches one remote file of a client. */
  readonly fetch: RemoteFetch
  /** Asks hosts that an account names. */
  readonly remote: RemoteClient
  readonly signatures: SignatureMemory
}

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
    signatures: createSignatureMemory(store.records<Signed>('signatures'), log),
  }
}
