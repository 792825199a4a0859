export { resetAccount as run } from './remote.ts'
