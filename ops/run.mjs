// Starts the product with secrets from files: Docker lays them into /run/secrets, systemd into its own folder.
// A file is named like the setting it holds. What the environment says already stands.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

for (const folder of [process.env.CREDENTIALS_DIRECTORY, '/run/secrets']) {
  if (!folder || !existsSync(folder)) continue;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!/^[A-Z][A-Z0-9_]*$/.test(name) || process.env[name] || !statSync(file).isFile()) continue;
    process.env[name] = readFileSync(file, 'utf8').trim();
  }
}

await import('../dist/process/main.js');
