import type {
  Extra,
  Feature,
  RequestFields,
  Setting,
  RequestSettings,
  Treatment,
} from './unsupported.ts'

/** Nobody reads a longer list of what was left out. */
const mostUnknown = 32

/** What is noticed while a client's request is read: what it uses, and what has no place. */
export class Notes {
  readonly #fields: Partial<Record<Feature, string>> = {}
  readonly #settings: Partial<Record<Setting, string>> = {}
  readonly #extras: Extra[] = []
  /** What was told of objects of a kind. */
  readonly #told = new Map<object, Set<string>>()
  #unknown = 0

  get fields(): RequestFields {
    return this.#fields
  }

  get settings(): RequestSettings {
    return this.#settings
  }

  get extras(): readonly Extra[] {
    return this.#extras
  }

  /** The first field that uses a feature names it. */
  uses(feature: Feature, field: string): void {
    this.#fields[feature] ??= field
  }

  sets(setting: Setting, field: string): void {
    this.#settings[setting] = field
  }

  extra(field: string, treatment: Treatment, reason: string, way?: string): void {
    this.#extras.push({ field, treatment, reason, way })
  }

  /** Only accounts of the client's dialect can do it. */
  native(field: string, reason: string, way?: string): void {
    this.extra(field, 'native', reason, way)
  }

  /** Warns of members of an object that are not among those of its kind. */
  unread(
    json: Readonly<Record<string, unknown>>,
    path: string,
    known: ReadonlySet<string>,
    reason: string,
  ): void {
    for (const name in json) {
      if (known.has(name) || (json[name] ?? undefined) === undefined) continue
      this.unknown(known, name, `${path}.${name}`, reason)
    }
  }

  /** Warns of a member once, where it first stands: conversations repeat what they hold. */
  unknown(kind: object, name: string, field: string, reason: string): void {
    if (this.#unknown === mostUnknown || !this.isFirst(kind, name)) return
    this.#unknown++
    this.extra(field, 'warn', reason)
  }

  /** Whether no object of this kind had the member before. */
  protected isFirst(kind: object, name: string): boolean {
    let told = this.#told.get(kind)
    if (!told) this.#told.set(kind, (told = new Set()))
    const isFirst = !told.has(name)
    told.add(name)
    return isFirst
  }
}
