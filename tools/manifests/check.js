import { join } from 'node:path';
import { problemsOf } from './manifests.js';

const FOLDER = join(import.meta.dirname, '../../deploy/kubernetes');

const problems = await problemsOf(FOLDER);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('Kubernetes knows every field of the manifests.');
