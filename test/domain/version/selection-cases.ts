export interface SelectionCase {
  readonly running: string;
  readonly constraint?: string;
  readonly variant?: string;
  /** With blanks between them. */
  readonly published: string;
  /** A tag; or why none is chosen. */
  readonly chosen: string;
}

/** What the registries of images with many pulls publish, shortened. */
export const officialImages: Readonly<Record<string, readonly SelectionCase[]>> = {
  nginx: [
    {
      running: "1.25.3-alpine",
      published: "1.25.3 1.25.3-alpine 1.25.4 1.25.4-alpine 1.26.0",
      chosen: "1.25.4-alpine",
    },
    { running: "1.25-alpine", published: "1.25-alpine 1.26-alpine 1.26-perl 1.26.2-alpine", chosen: "1.26-alpine" },
    { running: "1.25-alpine", published: "1.25-alpine 1.26-perl 1.26", chosen: "variant-not-published" },
    {
      running: "1.27.1-alpine3.20",
      published: "1.27.1-alpine3.20 1.27.2-alpine3.20 1.27.2-alpine3.20-slim",
      chosen: "1.27.2-alpine3.20",
    },
    {
      running: "1.27.1-alpine3.19",
      variant: "alpine3.*",
      published: "1.27.2-alpine3.9 1.27.2-alpine3.20",
      chosen: "1.27.2-alpine3.20",
    },
    {
      running: "1.27.1-alpine",
      variant: "alpine*, slim",
      published: "1.27.2-slim 1.27.2-alpine3.20 1.27.2-alpine 1.27.2-alpine3.19",
      chosen: "1.27.2-alpine",
    },
    {
      running: "1.27.1-bookworm",
      variant: "*",
      published: "1.27.2-slim 1.27.2-alpine3.20 1.27.2-alpine 1.27.2",
      chosen: "1.27.2-alpine3.20",
    },
    {
      running: "1.27.1-bookworm-otel",
      published: "1.27.2-bookworm 1.27.2-bookworm-otel 1.27.2-alpine-otel",
      chosen: "1.27.2-bookworm-otel",
    },
    { running: "stable-alpine", constraint: "^1", published: "1.26.2 1.26.2-alpine", chosen: "unknown" },
    { running: "alpine", constraint: "^1", published: "1.26.2 1.26.2-alpine", chosen: "unknown" },
    { running: "latest", constraint: "^1", published: "1.26.2 1.27.0-alpine", chosen: "1.26.2" },
  ],
  redis: [
    { running: "7.2.4-bookworm", published: "7.2.4-bookworm 7.4.0 7.4.0-alpine", chosen: "variant-not-published" },
    { running: "7.2.4-bookworm", published: "7.4.0 7.4.0-bookworm 8.0-M01-bookworm", chosen: "7.4.0-bookworm" },
    { running: "7.4-rc1", published: "7.4-rc1 7.4-rc2 7.4.0 7.4", chosen: "7.4" },
  ],
  postgres: [
    { running: "16-alpine", published: "16-alpine 17-alpine", chosen: "major-only" },
    { running: "16-alpine", constraint: ">=16", published: "16-alpine 17-alpine 17.2-alpine 17", chosen: "17-alpine" },
    {
      running: "16-alpine",
      constraint: "^16.4",
      published: "16-alpine 16.4-alpine 16.6-alpine 17.2-alpine",
      chosen: "16.6-alpine",
    },
    {
      running: "16.4-alpine3.20",
      published: "16.6-alpine3.20 17.0-alpine3.20 18beta1-alpine3.20",
      chosen: "17.0-alpine3.20",
    },
    { running: "16.4", constraint: "^16", published: "16.4 16.6 17.2 16.6-bookworm", chosen: "16.6" },
  ],
  python: [
    {
      running: "3.12-slim-bookworm",
      published: "3.12-slim-bookworm 3.13-slim-bookworm 3.13.1-slim-bookworm 3.13-slim",
      chosen: "3.13-slim-bookworm",
    },
    { running: "3.13.0", published: "3.13.1 3.14.0a2 3.13.1-slim", chosen: "3.13.1" },
    { running: "3.13.0", constraint: ">=3.13.0-0", published: "3.13.1 3.14.0a2 3.14.0a10", chosen: "3.14.0a10" },
  ],
  node: [
    {
      running: "22.11.0-alpine3.20",
      published: "22.12.0-alpine3.20 22.12.0-alpine3.21 23.4.0-alpine3.20",
      chosen: "23.4.0-alpine3.20",
    },
    {
      running: "22-bookworm-slim",
      constraint: "^22",
      published: "22-bookworm-slim 23-bookworm-slim 22.12-bookworm-slim",
      chosen: "no-newer-version",
    },
    { running: "lts", constraint: "^22", published: "22.12.0 22.12.0-slim 22.12", chosen: "22.12.0" },
  ],
  "eclipse-temurin": [
    {
      running: "17.0.13_11-jdk",
      published: "17.0.13_11-jdk 17.0.14_7-jdk 17.0.14_7-jre 21.0.5_11-jdk",
      chosen: "21.0.5_11-jdk",
    },
    {
      running: "17.0.13_11-jdk",
      constraint: "^17",
      published: "17.0.13_12-jdk 17.0.13_12-jre 21.0.5_11-jdk",
      chosen: "17.0.13_12-jdk",
    },
    { running: "17-jdk", published: "17-jdk 21-jdk", chosen: "major-only" },
    { running: "8u422-b05-jre-noble", published: "8u432-b06-jre-noble 8u432-b06-jre", chosen: "8u432-b06-jre-noble" },
  ],
  vault: [
    { running: "1.17.2-ent", published: "1.17.2 1.17.3", chosen: "variant-not-published" },
    { running: "1.17.2-ent", published: "1.17.3 1.17.3-ent 1.18.0-ent.hsm", chosen: "1.17.3-ent" },
    {
      running: "1.17.2-ent.hsm.fips1402",
      published: "1.17.3-ent.hsm 1.17.3-ent.hsm.fips1402",
      chosen: "1.17.3-ent.hsm.fips1402",
    },
  ],
  bitnami: [
    {
      running: "1.2.3-debian-12-r10",
      published: "1.2.3-debian-12-r9 1.2.3-debian-12-r10 1.2.3",
      chosen: "no-newer-version",
    },
    {
      running: "1.2.3-debian-12-r9",
      published: "1.2.3-debian-12-r10 1.2.3-debian-12-r2 1.2.3-debian-11-r30",
      chosen: "1.2.3-debian-12-r10",
    },
    {
      running: "1.2.3-debian-11-r9",
      published: "1.2.3-debian-11-r9 1.2.4-debian-12-r0",
      chosen: "variant-not-published",
    },
  ],
  "mcr.microsoft.com/dotnet/aspnet": [
    {
      running: "8.0.11-noble-chiseled",
      published: "8.0.12-noble-chiseled 8.0.12-noble 9.0.0-preview.7-noble-chiseled",
      chosen: "8.0.12-noble-chiseled",
    },
    { running: "8.0-jammy", published: "8.0-jammy 9.0-jammy 9.0.1-jammy 9.0-noble", chosen: "9.0-jammy" },
    {
      running: "8.0.11-windowsservercore-ltsc2022",
      published: "8.0.12-windowsservercore-ltsc2019 8.0.12-windowsservercore-ltsc2022",
      chosen: "8.0.12-windowsservercore-ltsc2022",
    },
  ],
  minio: [
    {
      running: "RELEASE.2024-09-22T00-33-43Z",
      published: "RELEASE.2024-09-22T00-33-43Z RELEASE.2024-10-02T17-50-41Z RELEASE.2024-10-13T13-34-11Z.fips",
      chosen: "RELEASE.2024-10-02T17-50-41Z",
    },
    {
      running: "RELEASE.2024-09-22T00-33-43Z",
      constraint: "<2024.10",
      published: "RELEASE.2024-10-02T17-50-41Z RELEASE.2024-09-30T01-00-00Z",
      chosen: "RELEASE.2024-09-30T01-00-00Z",
    },
  ],
  "eks, gke": [
    {
      running: "v1.31.2-eksbuild.3",
      published: "v1.31.2-eksbuild.10 v1.31.2-minimal-eksbuild.11 v1.31.2",
      chosen: "v1.31.2-eksbuild.10",
    },
    { running: "v1.31.2-eksbuild.3", published: "v1.31.3-eksbuild.1 v1.31.2-eksbuild.4", chosen: "v1.31.3-eksbuild.1" },
    { running: "1.31.1-gke.1678000", published: "1.31.1-gke.1846000 1.31.1", chosen: "1.31.1-gke.1846000" },
  ],
  linuxserver: [
    { running: "4.0.5.7", constraint: ">=1", published: "3.9.0 4.0.5.7", chosen: "no-newer-version" },
    {
      running: "5.14.0.9383-ls259",
      published: "5.14.0.9383-ls260 amd64-5.14.0.9383-ls261 5.14.0.9383-ls26",
      chosen: "5.14.0.9383-ls260",
    },
    { running: "version-4.0.5", published: "version-4.0.6 4.0.7", chosen: "version-4.0.6" },
  ],
  "ubuntu, debian, alpine": [
    { running: "24.04", published: "22.04 24.04 24.10 noble-20241015", chosen: "24.10" },
    { running: "noble-20241015", published: "noble-20241118.1 noble-20241118 oracular-20241120", chosen: "major-only" },
    {
      running: "bookworm-20241016-slim",
      constraint: ">=20241016",
      published: "bookworm-20241111-slim bookworm-20241111 trixie-20241111-slim",
      chosen: "bookworm-20241111-slim",
    },
    { running: "3.20.3", published: "3.20.3 3.21.0 20240923 edge", chosen: "3.21.0" },
  ],
  "many others": [
    { running: "2.4.62-alpine3.20", published: "2.4.63-alpine3.20 2.4.63", chosen: "2.4.63-alpine3.20" }, // httpd
    { running: "8.4.3-oracle", published: "8.4.4-oracle 9.1.0", chosen: "8.4.4-oracle" }, // mysql
    {
      running: "11.4.3-noble",
      published: "11.4.4-noble 11.7.1-noble-rc 11.7-rc-noble 11.4.4-ubi9",
      chosen: "11.4.4-noble",
    }, // mariadb
    {
      running: "7.0.14-windowsservercore-ltsc2022",
      published: "8.0.3-nanoserver-ltsc2022 8.0.3-windowsservercore-ltsc2022",
      chosen: "8.0.3-windowsservercore-ltsc2022",
    }, // mongo
    {
      running: "4.0.3-management-alpine",
      published: "4.0.4-management-alpine 4.0.4-alpine 4.1.0-beta.4-management-alpine",
      chosen: "4.0.4-management-alpine",
    }, // rabbitmq
    {
      running: "10.1.31-jdk17-temurin-noble",
      published: "10.1.33-jdk21-temurin-noble 10.1.33-jdk17-temurin-noble 11.0.0-M26-jdk17-temurin-noble",
      chosen: "10.1.33-jdk17-temurin-noble",
    }, // tomcat
    {
      running: "3.9.9-eclipse-temurin-17",
      published: "3.9.9-eclipse-temurin-21 3.9.9-eclipse-temurin-17",
      chosen: "no-newer-version",
    }, // maven
    {
      running: "8.3.13-fpm-alpine3.20",
      published: "8.3.14-fpm-alpine3.20 8.4.0RC4-fpm-alpine3.20 8.4.1-cli",
      chosen: "8.3.14-fpm-alpine3.20",
    }, // php
    {
      running: "6.7.0-php8.3-fpm",
      published: "6.7.1-php8.3-fpm 6.7.1-php8.4-fpm beta-6.8-RC1-php8.3-fpm",
      chosen: "6.7.1-php8.3-fpm",
    }, // wordpress
    { running: "1.23.2-alpine3.20", published: "1.23.3-alpine3.20 1.24rc1-alpine3.20", chosen: "1.23.3-alpine3.20" }, // golang
    {
      running: "1.82.0-slim-bookworm",
      published: "1.83.0-slim-bookworm 1.83.0-slim-bullseye 1.83-slim-bookworm",
      chosen: "1.83.0-slim-bookworm",
    }, // rust
    { running: "3.4.0-preview2", published: "3.4.0-rc1 3.4.0 3.4.0-slim", chosen: "3.4.0" }, // ruby
    { running: "27.3.1-dind-rootless", published: "27.4.0-dind 27.4.0-dind-rootless", chosen: "27.4.0-dind-rootless" }, // docker
    {
      running: "3.1-dev12-alpine",
      constraint: ">=3.1-0",
      published: "3.1-dev13-alpine 3.1-dev14 3.2-dev1-alpine",
      chosen: "3.2-dev1-alpine",
    }, // haproxy
    { running: "v3.2.0", published: "v3.2.1 v3.3.0-rc1 v3.2.1-windowsservercore-ltsc2022 v3.3", chosen: "v3.2.1" }, // traefik
    { running: "3.8.0", published: "3.8.1 3.8.1-ubuntu 3.8.0.1", chosen: "3.8.1" }, // kong
    {
      running: "5.24.2-enterprise",
      published: "5.26.0-enterprise 5.26.0 2025.01.0-community",
      chosen: "5.26.0-enterprise",
    }, // neo4j
    { running: "enterprise-7.6.3", published: "enterprise-7.6.4 community-7.6.5 7.6.5", chosen: "enterprise-7.6.4" }, // couchbase
    { running: "30.0.1-fpm-alpine", published: "30.0.2-fpm-alpine 30.0.2-apache", chosen: "30.0.2-fpm-alpine" }, // nextcloud
    {
      running: "17.0-20241014",
      constraint: "~17.0",
      published: "17.0-20241118 18.0-20241118 17.0",
      chosen: "17.0-20241118",
    }, // odoo
    { running: "27.1.2.0-alpine", published: "27.1.3.0-alpine 27.1.3-alpine", chosen: "27.1.3.0-alpine" }, // erlang
    { running: "1.17.3-otp-27-slim", published: "1.18.0-otp-27-slim 1.18.0-otp-28-slim", chosen: "1.18.0-otp-27-slim" }, // elixir
    { running: "2.17.2-pg16", published: "2.17.3-pg17 2.17.3-pg16", chosen: "2.17.3-pg16" }, // timescaledb
    { running: "17-3.5", published: "17-3.5 18-3.5 17-3.6", chosen: "major-only" }, // postgis
    {
      running: "2024.07.3-linux-sudo",
      published: "2024.12-linux-sudo 2024.12.1-linux-sudo",
      chosen: "2024.12.1-linux-sudo",
    }, // teamcity
    {
      running: "10.7.0-community",
      published: "24.12.0.100206-community 10.8.0-developer",
      chosen: "variant-not-published",
    }, // sonarqube
    { running: "1.0.0-a1b2c3d", constraint: ">=1", published: "1.0.1-b2c3d4e 1.0.1", chosen: "unknown" },
    { running: "1.2.0", published: "2.0.1 9999999 4829103-alpine", chosen: "2.0.1" },
    { running: "1.2", constraint: "^2", published: "1.2 2.0.1 2.0.3", chosen: "2.0.3" },
    { running: "2.0", published: "2.0 2.0.1 2.1.1", chosen: "variant-not-published" },
    { running: "2.0", published: "2.0 2.0.1 2.0.2", chosen: "no-newer-version" },
    { running: "1.2.3-alpine", variant: "bookworm", published: "1.2.4-alpine", chosen: "no-match" },
    { running: "latest", constraint: "*", published: "1.2.4-alpine", chosen: "no-match" },
    { running: "latest", constraint: "*", variant: "alpine", published: "1.2.4-alpine 1.2.5", chosen: "1.2.4-alpine" },
    { running: "1.0.0-rc1", constraint: ">=1.0.0-rc9", published: "1.0.0-rc10 1.0.0-rc8", chosen: "1.0.0-rc10" },
  ],
};
