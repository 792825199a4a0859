/**
 * The nine rules of chaining (docs/wire/contract.md 4) in as few words as they
 * take. It knows nothing of how the gateway does it.
 */

const hour = 60 * 60_000

export interface ReferenceAccount {
  enabled: boolean
  models: string[]
  speaks: string[]
}

interface Known {
  account: string
  model: string
  until: number
  /** The store refused it at first: by now it may be in the store or only in the gateway's memory. */
  wasRefused: boolean
  /** The gateway keeps it: its account did not speak the protocol. */
  isKept: boolean
}

export interface Asked {
  key: string
  /** As the client writes it: a model or an alias. */
  model: string
  /** Anything that JSON can hold; `undefined`: the field is absent. */
  previous: unknown
}

/** Served by one of these accounts, or refused with one of these codes. */
export interface Allowed {
  accounts: string[]
  codes: string[]
}

export class Reference {
  now = 0
  #readsFail = false
  /** Reads have failed: the gateway cannot know all accounts, until it has read them again. */
  #mayLackAccounts = false
  writesFail = false
  readonly accounts = new Map<string, ReferenceAccount>()
  readonly aliases = new Map<string, string>()
  readonly #known = new Map<string, Known>()
  readonly #items = new Map<string, Known>()

  get readsFail(): boolean {
    return this.#readsFail
  }

  set readsFail(fails: boolean) {
    this.#readsFail = fails
    this.#mayLackAccounts ||= fails
  }

  expected({ key, model, previous }: Asked): Allowed {
    const name = this.aliases.get(model) ?? model
    if (previous === undefined || previous === null) {
      const accounts = this.#routable(name)
      const native = accounts.filter((id) => this.#isNative(id))
      if (native.length > 0) return { accounts: native, codes: [] }
      if (accounts.length > 0) return { accounts, codes: [] }
      return this.#without(this.#isSwitchedOff(name) ? 'no_account_available' : 'model_not_found')
    }
    if (typeof previous !== 'string' || previous.trim() === '') return refuse('invalid_value')
    const known = this.#known.get(`${key} ${previous}`)
    if (this.readsFail && !known?.wasRefused) return refuse(lookup)
    const found = this.#chain(known, name)
    if (this.readsFail) found.codes.push(lookup)
    return found
  }

  /** A request without a chain whose input names an item. */
  expectedNaming({ key, model }: Pick<Asked, 'key' | 'model'>, item: string): Allowed {
    const name = this.aliases.get(model) ?? model
    if (![...this.accounts.values()].some(({ models }) => models.includes(name))) {
      return this.#without('model_not_found')
    }
    const known = this.#items.get(`${key} ${item}`)
    if (this.readsFail && !known?.wasRefused) return refuse('lookup_unavailable')
    const found = this.#owned(known, name)
    if (this.readsFail) found.codes.push('lookup_unavailable')
    return found
  }

  #owned(known: Known | undefined, model: string): Allowed {
    if (!known) return refuse('invalid_value')
    const accounts = this.#routable(model)
    if (known.isKept) {
      // An affinity may prefer the account that made it to native ones.
      return accounts.length > 0 ? { accounts, codes: [] } : this.#without('no_account_available')
    }
    const isThere = accounts.includes(known.account) && this.#isNative(known.account)
    return isThere ? { accounts: [known.account], codes: [] } : refuse('owner_unavailable')
  }

  /** Without an account that the gateway knows of. */
  #without(code: string): Allowed {
    const allowed = refuse(code)
    if (this.#mayLackAccounts) allowed.codes.push('lookup_unavailable')
    return allowed
  }

  #chain(known: Known | undefined, model: string): Allowed {
    if (!known || known.model !== model || known.until <= this.now) {
      return refuse('previous_response_not_found')
    }
    const canGoOn = known.isKept || this.#isNative(known.account)
    if (canGoOn && this.#routable(model).includes(known.account))
      return { accounts: [known.account], codes: [] }
    return refuse('previous_response_account_unavailable')
  }

  #routable(model: string): string[] {
    return [...this.accounts]
      .filter(([, { enabled, models }]) => enabled && models.includes(model))
      .map(([id]) => id)
  }

  #isNative(account: string): boolean {
    return this.accounts.get(account)?.speaks.includes('responses') ?? false
  }

  #isSwitchedOff(model: string): boolean {
    return [...this.accounts.values()].some(
      ({ enabled, models }) => !enabled && models.includes(model),
    )
  }

  /** A response that a client has seen completed. */
  learn(
    { key, model, previous }: Asked,
    { id, item, named }: { id: string; item: string; named?: string },
    account: string,
  ): void {
    const before =
      named === undefined
        ? this.#known.get(`${key} ${String(previous)}`)
        : this.#items.get(`${key} ${named}`)
    const known = {
      account,
      isKept: before?.isKept === true || !this.#isNative(account),
      model: this.aliases.get(model) ?? model,
      until: this.now + hour,
      wasRefused: this.writesFail,
    }
    this.#known.set(`${key} ${id}`, known)
    this.#items.set(`${key} ${item}`, known)
  }
}

const lookup = 'previous_response_lookup_unavailable'

function refuse(code: string): Allowed {
  return { accounts: [], codes: [code] }
}
