import { checksOf, removed } from '../mutation.ts'

const refusals = ['test/uploads/refusals.test.ts']
const limits = ['test/uploads/limits.test.ts']
const local = ['test/uploads/local.test.ts']
const files = ['test/uploads/files.test.ts']
const visits = ['test/uploads/visits.test.ts']
const disk = ['test/uploads/disk.test.ts']
const replicas = ['test/uploads/replicas.test.ts']
const s3 = ['test/uploads/s3.test.ts']
const vectors = ['test/uploads/vectors.test.ts']
const bucketSize = ['test/uploads/bucket-size.test.ts']
const keepDays = ['test/uploads/keep-days.test.ts']
const plugins = ['test/uploads/plugin-storages.test.ts']
const results = ['test/storage/results.test.ts']
const lent = ['test/walks/images/lent-urls.test.ts']
const sweeps = ['test/storage/timed-sweep.test.ts']

const urls = 'src/storage/local/urls.ts'
const receive = 'src/storage/local/receive.ts'
const paths = 'src/storage/paths.ts'
const issue = 'src/storage/issue.ts'
const signer = 'src/storage/signer.ts'
const visit = 'src/storage/local/serve-file.ts'

/** Which files clients leave with the gateway, and who gets at them. */
export const uploadChecks = [
  ...checksOf('uploads', signer, refusals, {
    'a signature': [') && isOne', ') || true'],
    'one spelling of a signature': ["&& given.toString('base64url') === signature", ''],
  }),
  ...checksOf('uploads', signer, replicas, {
    'replicas agree on one secret': [
      'if (await records.add(id, { secret })) return secret',
      'if ((await records.add(id, { secret })) || secret) return secret',
    ],
    'a store that comes back is asked again': ['known = undefined\n', '\n'],
  }),
  ...checksOf('uploads', urls, refusals, {
    'a URL ends': ['if (!(now() < expiresAt))', 'if (false)'],
    'a URL is for one method': ['return [method, name,', 'return [name,'],
    'a URL is for one owner': ['name, owner, path, ...parameters]', 'name, path, ...parameters]'],
    'a URL is for one path': ['name, owner, path, ...parameters]', 'name, owner, ...parameters]'],
    'the end of a URL is signed': ["['expires', 'max',", "['max',"],
    'the size of a URL is signed': ["'max', 'type',", "'type',"],
    'the type of a URL is signed': ["'type', 'overwrite']", "'overwrite']"],
    'whether a URL may replace is signed': [", 'overwrite'] as", '] as'],
    'URLs that replace differ': ["query.set('overwrite', nonce())", "query.set('overwrite', '1')"],
  }),
  ...checksOf('uploads', receive, refusals, {
    'a URL replaces once': ['if (overwrite && !(await firstUse(grant))) throw urlUsed()', ''],
    'of two at once one wins': [
      'if (!(await file.publish(owner, { overwrite }))) throw pathTaken()',
      'await file.publish(owner, { overwrite })',
    ],
  }),
  ...checksOf('uploads', 'src/storage/local/disk.ts', [...refusals, ...disk], {
    'a file that is there stays': [
      'return link(temporary, place)',
      'return rename(temporary, place)',
    ],
    'what is being written is not swept': ['> staleMs)', '> -staleMs)'],
    'nothing is left of what was refused': ['await unlink(temporary).catch(ignoreMissing)', ''],
    'a disk takes few bytes at a time': [
      'for (let written = 0; written < bytes.length;) {',
      'for (let written = 0; written < 1;) {',
    ],
  }),
  ...checksOf('uploads', receive, limits, {
    'the size that arrives': ['if (progress.bytesIn > maxBytes)', 'if (false)'],
    'files are not encoded': ["if (encoding !== 'identity') {", 'if (false) {'],
    'files are whole': ["if (headers['content-range'] !== undefined) {", 'if (false) {'],
    'types of the operator’s choice': ['checkAllowed(type, types)\n', '\n'],
  }),
  ...checksOf('uploads', receive, local, {
    'a file is of the type that was announced': [
      'essenceOf(stated) === essenceOf(type)',
      "essenceOf(stated) !== ''",
    ],
  }),
  ...checksOf('uploads', receive, disk, {
    'a disk that is full': [
      "fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])",
      'fullDisk = new Set()',
    ],
  }),
  ...checksOf('uploads', 'src/storage/local/request-body.ts', limits, {
    'a sender that falls silent': ['return within(windowMs, piece, timedOut)', 'return piece'],
  }),
  ...checksOf('uploads', issue, [...limits, ...bucketSize, ...s3], {
    'a size that is announced': ['if (size !== undefined && size > maxBytes)', 'if (false)'],
    'what does not count is told the size': ['if (isLimited) checkAnnounced(size, storage)', ''],
    'what counts by itself need not be told': [
      'if (size !== undefined || inspects) return',
      'if (size !== undefined) return',
    ],
    'what does not look is told the type': ['if (!types || inspects) return', 'if (true) return'],
    'types that are announced': [
      'if (type !== undefined) return checkAllowed(type, types)',
      'if (type !== undefined) return',
    ],
    'a region that nobody has': [
      ': places.find((candidate) => candidate.region === region)',
      ': places[0]',
    ],
    'a media type is one': ['if (type !== undefined && !isMediaType(type)) {', 'if (false) {'],
  }),
  ...checksOf('uploads', issue, refusals, {
    'keys have files of their own': [
      'owner: pathOwnerOf(caller.keyId)',
      "owner: pathOwnerOf('all')",
    ],
  }),
  ...checksOf('uploads', paths, limits, {
    'characters that no path may have': [
      "if (!path.isWellFormed() || forbiddenCharacters.test(path))\n    return 'contains characters that are not allowed'",
      '',
    ],
    'marks that turn the direction of text': ['\\p{Bidi_Control}', ''],
    'a path is relative': ["path.startsWith('/') || /^[a-z]", '/^[a-z]'],
    'a path is no URL': [' || /^[a-z][a-z\\d+.-]*:/i.test(path)', ''],
    'a path has no empty segment': ["if (segments.includes('')) return 'has an empty segment'", ''],
    'the length of a path': [
      'Buffer.byteLength(path) > maxPathBytes',
      'Buffer.byteLength(path) > 9e9',
    ],
    'the length of a segment': ['return isLong ?', 'return isLong && false ?'],
    ...removed({
      'a path climbs nowhere':
        "if (segments.includes('.') || segments.includes('..'))\n    return 'must not contain `.` or `..` segments'",
    }),
  }),
  ...checksOf('uploads', 'src/storage/registry.ts', files, {
    'paths of others name nothing': [
      'if (location.startsWith(root) && isPath(inside)) {',
      'if (isPath(inside)) {',
    ],
    'paths that climb name nothing': [
      'if (location.startsWith(root) && isPath(inside)) {',
      'if (location.startsWith(root)) {',
    ],
    'a path is its owner’s': [
      'const owner = pathOwnerOf(caller.keyId)',
      "const owner = /[0-9a-f]{32}/.exec(path)?.[0] ?? ''",
    ],
  }),
  ...checksOf('uploads', 'src/contract/storage.ts', plugins, {
    'no storage is called as URLs begin': [' && !schemes.has(name)', ''],
  }),
  ...checksOf('uploads', 'src/storage/files.ts', files, {
    'accounts are given no URL that they cannot reach': [
      'storage.isPublic ? storage.visit(file, now() + urlLifetimeMs) : undefined',
      'storage.visit(file, now() + urlLifetimeMs)',
    ],
  }),
  ...checksOf('uploads', 'src/storage/is-public-url.ts', files, {
    'names of one’s own network': [
      "host.includes('.') && !ownNames.test(host)",
      "host.includes('.')",
    ],
    'addresses of one’s own network': [
      'if (isIP(host) !== 0) return',
      'if (isIP(host) > 9) return',
    ],
  }),
  ...checksOf('uploads', visit, visits, {
    'a browser runs no picture': ['if (isMarkup(essence)) return false', ''],
    'the rest of another version': ['(known !== undefined && known !== tagOf(file))', 'false'],
    'HEAD tells no part': ["method !== 'GET' || ", ''],
    'a range beyond the end': ["if (range === 'unsatisfiable') {", "if (range === '') {"],
  }),
  ...checksOf('uploads', 'src/storage/local/sweep.ts', keepDays, {
    'younger uploads stay': [
      'found !== undefined && found.mtimeMs < before',
      'found !== undefined',
    ],
    'an upload that takes the place of an old one stays': [
      'if (!(await isOlder(aside, before))) await link(aside, place).catch(ignoreConflict)',
      '',
    ],
    'a newer upload is not even moved': [
      'if (await isOlder(place, before)) await moveAndDelete',
      'await moveAndDelete',
    ],
    'what is no file of an upload stays': ['file = /^[\\da-f]{64}$/', 'file = /./'],
    'what is no owner’s stays': ['owner = /^[\\da-f]{32}$/', 'owner = /./'],
  }),
  ...checksOf('uploads', 'src/storage/sweep.ts', results, {
    'results stay until their time': [
      'Number(name) * minuteMs + graceMs <= now',
      'Number(name) > 0',
    ],
    'what is no minute of results stays': ['/^\\d{1,12}$/.test(name) && ', ''],
  }),
  ...checksOf('uploads', 'src/storage/results.ts', lent, {
    'a URL of a result is signed': ['await urls.verify(request)', 'request'],
  }),
  ...checksOf('uploads', 'src/storage/sweep.ts', sweeps, {
    'never two sweeps at once': ['if (isSweeping) return', ''],
    'a sweep that failed is not the last': ['isSweeping = false\n    }', '}'],
    'a sweep that failed is told of': ['onError(error)', ''],
  }),
  ...checksOf('uploads', 'src/storage/s3/storage.ts', s3, {
    'a bucket replaces no object': [
      '(!overwrite && createOnlyHeaders)',
      '(false && createOnlyHeaders)',
    ],
    'the length of what is sent is signed': ['{ ...required, ...length })', 'asked)'],
    'a bucket does not look': ['inspects: false', 'inspects: true'],
    'a URL of a bucket ends': ['Math.round((expiresAt - signedAt) / 1_000)', '86_400'],
  }),
  ...checksOf('uploads', 'src/storage/s3/presign.ts', [...s3, ...vectors], {
    'all headers are signed': ['allHeaders: true', 'allHeaders: false'],
    'credentials that are lent': ['...(sessionToken !== undefined && { sessionToken }),', ''],
  }),
  ...checksOf('uploads', 'src/storage/s3/read-object.ts', files, {
    'what is not there': ['if (statusCode === 404) throw unknownFile()', ''],
    'a refusal is no failure that passes': [
      'throw statusCode === 403\n    ? refused()',
      'throw false\n    ? refused()',
    ],
    'no error has a URL that reads': [".replaceAll(url, 'the storage')", ' + url'],
  }),
]
