export { testAccount as run } from './remote.ts'
