import { join } from 'node:path'

import {
  API,
  type Project,
  type Snapshot,
  type Symbol as TypeSymbol,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync'

const repository = join(import.meta.dirname, '../../..')

/** A type of an SDK: the declaration file below `node_modules`, and the exported name. */
export interface SdkType {
  readonly file: string
  readonly name: string
}

/** Reads the fields of the types that SDKs declare. */
export class SdkTypes implements Disposable {
  readonly #api = new API({ cwd: repository })
  readonly #snapshot: Snapshot

  constructor(types: readonly SdkType[]) {
    this.#snapshot = this.#api.updateSnapshot({ openFiles: types.map(pathOf) })
  }

  /**
   * The paths of all fields of a type, in the order of their declaration. A list has `[]` after its name.
   * Where a field has objects of several kinds, the kind stands in brackets: `content[image_url].detail`.
   * Members with one possible value, such as `type`, have no path of their own. A field that `isWhole` is
   * listed without those inside it.
   */
  fieldsOf(type: SdkType, isWhole: (path: string) => boolean): readonly string[] {
    const project = this.#snapshot.getDefaultProjectForFile(pathOf(type))
    const source = project?.program.getSourceFile(pathOf(type))
    const module = source && project?.checker.getSymbolAtLocation(source)
    const symbol = module && project?.checker.getMemberInModuleExports(module, type.name)
    if (!project || !symbol) throw new Error(`${type.file} has no type ${type.name}.`)
    const walk = new FieldWalk(project.checker, isWhole)
    walk.enter(project.checker.getDeclaredTypeOfSymbol(symbol), '', [])
    return [...walk.paths]
  }

  [Symbol.dispose](): void {
    this.#api.close()
  }
}

function pathOf({ file }: SdkType): string {
  return join(repository, 'node_modules', file)
}

/** The members that name the kind of an object. */
const kindMembers = ['type', 'role']

class FieldWalk {
  readonly paths = new Set<string>()
  readonly #checker: Project['checker']
  readonly #isWhole: (path: string) => boolean

  constructor(checker: Project['checker'], isWhole: (path: string) => boolean) {
    this.#checker = checker
    this.#isWhole = isWhole
  }

  enter(type: Type, path: string, outer: readonly number[]): void {
    if (this.#isWhole(path)) return void this.paths.add(path)
    const kinds = alternativesOf(type)
    const objects = kinds.filter(isObject)
    if (objects.length < kinds.length && path !== '') this.paths.add(path)
    const plain = objects.filter((object) => !this.#checker.isArrayType(object))
    for (const list of objects.filter((object) => this.#checker.isArrayType(object))) {
      this.enter(this.#elementOf(list), `${path}[]`, outer)
    }
    for (const object of plain) {
      const at = plain.length > 1 ? `${path.replace(/\[\]$/, '')}[${this.#kindOf(object)}]` : path
      this.#object(object, at, outer)
    }
  }

  #object(object: Type, path: string, outer: readonly number[]): void {
    if (this.#isWhole(path)) return void this.paths.add(path)
    const members = this.#checker.getPropertiesOfType(object)
    const isOpen = this.#checker.getIndexInfosOfType(object).length > 0
    const named = members.filter((member) => !this.#isKind(member))
    if (outer.includes(object.id) || isOpen || named.length === 0) this.paths.add(path)
    if (outer.includes(object.id)) return
    for (const member of named) {
      const type = this.#checker.getTypeOfSymbol(member)
      if (type)
        this.enter(type, path === '' ? member.name : `${path}.${member.name}`, [
          ...outer,
          object.id,
        ])
    }
  }

  #elementOf(list: Type): Type {
    const [element] = list.isTypeReference() ? this.#checker.getTypeArguments(list) : []
    if (!element) throw new Error('A list without a type of elements.')
    return element
  }

  /** The name of an object's kind: the value of `type` or `role`, else its required members. */
  #kindOf(object: Type): string {
    const members = this.#checker.getPropertiesOfType(object)
    for (const name of kindMembers) {
      const words = this.#wordsOf(members.find((member) => member.name === name))
      if (words.length > 0) return words.join('|')
    }
    const required = members.filter(({ flags }) => !(flags & SymbolFlags.Optional))
    return required.map(({ name }) => name).join('+') || '*'
  }

  #isKind(member: TypeSymbol): boolean {
    return kindMembers.includes(member.name) && this.#wordsOf(member).length === 1
  }

  /** The possible values of a member that can only have certain strings; none for other members. */
  #wordsOf(member: TypeSymbol | undefined): readonly string[] {
    const type = member && this.#checker.getTypeOfSymbol(member)
    const kinds = type ? alternativesOf(type) : []
    const words = kinds.flatMap((kind) => (kind.isStringLiteralType() ? [kind.value] : []))
    return words.length === kinds.length ? words : []
  }
}

/** The members of a union without `null` and `undefined`. */
function alternativesOf(type: Type): readonly Type[] {
  const kinds = type.isUnionType() ? type.getTypes().flatMap(alternativesOf) : [type]
  return kinds.filter(({ flags }) => !(flags & (TypeFlags.Null | TypeFlags.Undefined)))
}

/** Whether a type has members of its own. `string & {}` stands for any other string. */
function isObject(type: Type): boolean {
  if (!type.isIntersectionType()) return type.isObjectType()
  return type.getTypes().every(isObject)
}
