import { checksOf } from '../mutation.ts'

const stored = ['test/admin/stored-accounts.test.ts']
const acts = ['test/admin/account-acts.test.ts']
const files = ['test/configuration/secret-files.test.ts']
const sealing = ['test/stores/sealing.test.ts']
const commands = ['test/cli/stored-accounts.test.ts']

const input = 'src/admin/accounts/input.ts'
const change = 'src/admin/accounts/change.ts'
const records = 'src/configuration/stored-accounts.ts'

/** Accounts of the store, their credentials, and the secrets in files. */
export const storedAccountChecks = [
  ...checksOf('admin', 'src/configuration/secret-files.ts', files, {
    'only regular files have secrets': ['if (!stat.isFile())', 'if (stat.isDirectory())'],
    'a secret has a largest size': ['if (content.length > mostBytes)', 'if (content.length < 0)'],
    'a secret has an absolute path': ['if (!isAbsolute(file))', "if (file === '')"],
  }),
  ...checksOf('admin', 'src/stores/sealing.ts', sealing, {
    'a sealed secret has a subject': ['decipher.setAAD(Buffer.from(subject))', ''],
    'a nonce is used once': ['randomBytes(nonceBytes)', 'Buffer.alloc(nonceBytes)'],
  }),
  ...checksOf('admin', 'src/stores/stored-accounts.ts', stored, {
    'a sealed credential belongs to an address': ['provider, addressOf(baseUrl)])', 'provider])'],
    'a sealed credential belongs to an account': ["['account', id, ", "['account', "],
  }),
  ...checksOf('admin', 'src/stores/file/secret-key.ts', stored, {
    'only its owner reads the key of a store': ["'wx', 0o600", "'wx', 0o644"],
  }),
  ...checksOf('admin', 'src/configuration/secret-keys.ts', commands, {
    'a key cannot be guessed': ['key.length < shortest)', 'key.length < 0)'],
  }),
  ...checksOf('admin', records, stored, {
    'a stored credential is sealed': [
      "if (placeOfSecret(reference) === 'literal')",
      'if (!reference)',
    ],
    'a record belongs to its id': ['!data || data.account.id !== id', '!data'],
  }),
  ...checksOf('admin', input, stored, {
    'a shared store needs a key': ['if (hasKey) return undefined', 'if (!hasKey) return undefined'],
    'a masked credential is not stored': [
      'if (credential === secretMask || /\\*{3}|\\.{3}|…|•/.test(credential))',
      'if (!credential)',
    ],
    'an empty credential is not stored': ["if (credential === '')", 'if (!hasKey && !credential)'],
    'a problem repeats no credential': ["text.replaceAll(name, '...')", 'text'],
  }),
  ...checksOf('admin', change, stored, {
    'another host needs the credential again': [
      'addressOf(account.baseUrl) !== addressOf(known.account.baseUrl)',
      'false',
    ],
    'another provider needs the credential again': [
      'account.provider !== known.account.provider ||',
      '',
    ],
    'an old version changes nothing': [
      'expectedVersion !== version) {\n    return conflict(`The account "${id}" has the',
      'expectedVersion < 0) {\n    return conflict(`The account "${id}" has the',
    ],
    'of two changes one wins': [
      'isSame = Object(present).version === known.version',
      'isSame = true',
    ],
    'an audit record has no credential': ["if (name === 'credential') return 'changed'", ''],
  }),
  ...checksOf('admin', change, acts, {
    'an operator does not overrule the file': [
      'if (enabled && setting && !setting.enabled)',
      'if (!view)',
    ],
    'a new account has no decisions about its predecessor': [
      'if (!refuseFile(services, id)) await forgetAccountState(store, id)',
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/accounts/views.ts', stored, {
    'a hint is short': ['secret.slice(-4)', 'secret'],
  }),
  ...checksOf('admin', 'src/admin/hide-values.ts', stored, {
    'an error repeats no variable': ['return hiddenVariable(message)', 'return message'],
    'an error repeats no literal': [
      'errors: result.errors.map(hideValues)',
      'errors: result.errors',
    ],
  }),
  ...checksOf('admin', 'src/accounts/stored.ts', stored, {
    'the file wins': ['.filter(({ id }) => !configured.has(id))', ''],
    'a bad change leaves the account as it was': [
      'found.length === 0 ? setting : kept(id)',
      'found.length === 0 ? setting : undefined',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/account-changes.ts', acts, {
    'accounts are created by administrators': ["const role = 'admin'", "const role = 'operator'"],
  }),
  ...checksOf('admin', 'src/admin/schema/account-acts.ts', acts, {
    'viewers steer nothing': ["const role = 'operator'", "const role = 'viewer'"],
  }),
  ...checksOf('admin', 'src/configuration/reseal-accounts.ts', commands, {
    'a rotation seals with the newest key': ['else if (sealed.key === newest)', 'else if (sealed)'],
  }),
]
